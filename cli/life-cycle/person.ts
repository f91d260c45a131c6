import {
  type DesiredParameters,
  type Parameters,
  type Person,
  type Purpose,
  type StepName,
  StepSkipped,
} from '../../suites/targets/live/step.ts'
import { Interruption } from '../interruption.ts'
import type { LifeCycle } from '../options/life-cycle-options.ts'
import { isCancel, log, select } from '../prompts.ts'

export interface PersonOptions {
  readonly url: string
  readonly lifeCycle: LifeCycle
  /** Cancels questions when the run is interrupted. */
  readonly signal: AbortSignal
}

/** Asks the person at the terminal to do steps in the administrator tool and on the disk of the server. */
export function createPerson({ url, lifeCycle, signal }: PersonOptions): Person {
  const ask = async (message: string, choices: readonly Choice[], purpose: Purpose) => {
    const isRestore = purpose === 'restore'
    const options = [...choices, ...(isRestore ? [leaveServer] : skip)]
    // Without a terminal the prompt would never be answered.
    const isUnattended = signal.reason instanceof Interruption && signal.reason.unattended
    if (isUnattended) throw new StepSkipped('the server was not restored, because the terminal was closed')
    // The server must be restored even after Ctrl-C.
    const cancels = isRestore && signal.aborted ? {} : { signal }
    const answer = await select<string>({ message, options, ...cancels })
    if (isRestore && (isCancel(answer) || answer === 'leave')) throw new StepSkipped('the server was not restored')
    // Same as Ctrl-C outside a prompt: the run stops after the check and cleans up.
    if (isCancel(answer) && !signal.aborted) process.emit('SIGINT')
    if (isCancel(answer) || answer === 'skip' || answer === 'skip-all') {
      throw new StepSkipped('the person at the terminal skipped a step that this check needs', answer !== 'skip')
    }
    return answer
  }

  return {
    can: (step) => step !== 'stop' && step !== 'start',
    async carryOut(steps, desired, purpose) {
      const lines = linesFor(steps, desired, lifeCycle.parameters).map((line, at) => `${at + 1}. ${line}`)
      const reason = purpose === 'restore' ? 'To restore the server' : 'For the next checks'
      log.step(`${reason}, do this at ${url}:\n${lines.join('\n')}`)
      await ask('Then press Enter.', [{ value: 'done', label: 'Done' }], purpose)
    },
    async askAgain(problem, mayAccept, purpose) {
      log.warn(`The step has had no effect: ${problem}.`)
      const accept = { value: 'accept', label: 'The step was done: judge the server as it is' }
      const verify = { value: 'verify', label: 'The step is done now: verify it again' }
      const answer = await ask('How do you want to continue?', mayAccept ? [verify, accept] : [verify], purpose)
      return answer === 'accept' ? 'accept' : 'verify'
    },
  }
}

type Choice = Readonly<Record<'value' | 'label', string>>

const skip: readonly Choice[] = [
  { value: 'skip', label: 'Skip this check' },
  { value: 'skip-all', label: 'Skip all checks that need such steps' },
]

const leaveServer: Choice = {
  value: 'leave',
  label: 'Leave the server as it is and restore it later with `copytrade-tck restore`',
}

function linesFor(steps: readonly StepName[], desired: DesiredParameters, before: Parameters | null) {
  return steps.flatMap((step) => {
    if (step === 'set-parameters') return [keyLine(desired.apiKey), ...copyLines(desired.copy, before)]
    if (step === 'delete-rules-file') return ['Delete the file `ServiceCopyTrade_rules.dat`.']
    return ['Restart the plugin.']
  })
}

function keyLine(apiKey: DesiredParameters['apiKey']): string {
  // The original key is a secret and must not be printed.
  if (apiKey === 'as-before') return 'In the administrator tool, set `API_Key` to its value before this run.'
  const note = '(note its current value)'
  if (apiKey.value === null) return `In the administrator tool, remove the parameter \`API_Key\` ${note}.`
  if (apiKey.value === '') return `In the administrator tool, set \`API_Key\` to an empty value ${note}.`
  return `In the administrator tool, set \`API_Key\` to ${apiKey.value} ${note}.`
}

function copyLines(copy: DesiredParameters['copy'], before: Parameters | null): readonly string[] {
  if (copy !== 'as-before') {
    return ['Remove all `Copy_N` parameters (note their current values).', ...Object.entries(copy).map(setLine)]
  }
  if (before === null) return ['Set the `Copy_N` parameters to their values before this run.']
  const own = Object.entries(before).filter(([name]) => /^Copy_\d+$/i.test(name))
  if (own.length === 0) return ['Remove all `Copy_N` parameters: there were none before this run.']
  return ['Set the `Copy_N` parameters to their values before this run:', ...own.map(setLine)]
}

function setLine([name, value]: readonly [string, string]): string {
  return `Set ${name} to ${value}`
}
