import type { PluginQuestionId } from '../../spec/plugin/questions.ts'

/** A question on whose answer two running servers cannot be seen to differ. */
export interface Unseen {
  readonly question: PluginQuestionId
  readonly reason: string
}

const atStart = 'it shows when a server is started, with parameters or a file for the purpose; parity starts none'

/** Where parity is blind, and why. `probe` sees these where it can start the server. */
export const unseenQuestions: readonly Unseen[] = [
  { question: 'plugin.disabled.wire', reason: 'it shows without a key alone; parity needs one that works' },
  { question: 'plugin.start.copy-order', reason: atStart },
  { question: 'plugin.start.copy-spelling', reason: atStart },
  { question: 'plugin.start.copy-spaces', reason: atStart },
  { question: 'plugin.start.copy-unreadable', reason: atStart },
  { question: 'plugin.start.copy-over-capacity', reason: atStart },
  { question: 'plugin.start.copy-saved', reason: atStart },
  { question: 'plugin.start.file-corrupt', reason: atStart },
  { question: 'plugin.start.file-over-capacity', reason: atStart },
]
