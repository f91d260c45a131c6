import type { PluginQuestionId } from '../spec/plugin/questions.ts'

/** A question whose answer cannot be observed on two running servers. */
export interface UnobservableQuestion {
  readonly question: PluginQuestionId
  readonly reason: string
}

const atStart = 'observable only at the start of a server with certain parameters or files; parity starts no server'

/** The questions that parity cannot observe. `probe` can, if it starts the server. */
export const unobservableQuestions: readonly UnobservableQuestion[] = [
  { question: 'plugin.disabled.wire', reason: 'observable only without a key; parity needs a valid key' },
  {
    question: 'plugin.auth.key-characters',
    reason: 'observable only with a key of such characters; parity changes no key',
  },
  { question: 'plugin.start.copy-syntax', reason: atStart },
  { question: 'plugin.start.copy-order', reason: atStart },
  { question: 'plugin.start.copy-spelling', reason: atStart },
  { question: 'plugin.start.copy-spaces', reason: atStart },
  { question: 'plugin.start.copy-unreadable', reason: atStart },
  { question: 'plugin.start.copy-over-capacity', reason: atStart },
  { question: 'plugin.start.copy-saved', reason: atStart },
  { question: 'plugin.start.file-corrupt', reason: atStart },
  { question: 'plugin.start.file-over-capacity', reason: atStart },
]
