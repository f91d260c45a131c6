import { isCancel, log, select } from '@clack/prompts'
import {
  type DesiredParameters,
  type Parameters,
  type Person,
  type Purpose,
  type StepName,
  StepSkipped,
} from '../../suites/targets/live/step.ts'

export interface PersonOptions {
  /** Base URL of the server. */
  readonly url: string
  /** The parameters that stood before; null where the kit was not told. */
  readonly parameters: Parameters | null
  /** Withdraws a question that is open for a check. */
  readonly signal: AbortSignal
  /** Ctrl-C at a question: the person wants nothing more of the run. */
  readonly onCancel: () => void
}

/** A person at this terminal, who does steps in the administrator tool and on the disk of the server. */
export function createPerson({ url, parameters, signal, onCancel }: PersonOptions): Person {
  const ask = async <Value extends string>(message: string, choices: readonly Choice<Value>[], purpose: Purpose) => {
    const restoreServer = purpose === 'give-back'
    const options = [...choices, ...(restoreServer ? [leaveAsItIs] : leaveOut)] as { value: string; label: string }[]
    const answer = await select<string>({ message, options, ...(restoreServer ? {} : { signal }) })
    if (restoreServer && (isCancel(answer) || answer === 'leave'))
      throw new StepSkipped('the server was not given back')
    if (isCancel(answer)) onCancel()
    if (isCancel(answer) || answer === 'skip' || answer === 'skip-all') {
      throw new StepSkipped('the person at the terminal left out a step that this check needs', answer !== 'skip')
    }
    return answer as Value
  }

  return {
    can: (step) => step !== 'stop' && step !== 'start',
    async carryOut(steps, desired, purpose) {
      const lines = linesFor(steps, desired, parameters).map((line, at) => `${at + 1}. ${line}`)
      const reason = purpose === 'give-back' ? 'To give the server back as it was' : 'For the next checks'
      log.step(`${reason}, please do this at ${url}:\n${lines.join('\n')}`)
      await ask('Then press Enter.', [{ value: 'done', label: 'It is done' }], purpose)
    },
    async askAgain(trouble, mayAccept, purpose) {
      log.warn(`The kit does not see it: ${trouble}.`)
      const accept = { value: 'accept', label: 'It was done: judge the server as it is' } as const
      const look = { value: 'look', label: 'It is done now: look again' } as const
      return ask('What now?', mayAccept ? [look, accept] : [look], purpose)
    },
  }
}

const leaveOut: readonly Choice<string>[] = [
  { value: 'skip', label: 'Leave this check out' },
  { value: 'skip-all', label: 'Leave out all checks that need such steps' },
]

const leaveAsItIs: Choice<string> = { value: 'leave', label: 'Leave the server as it is; restore finishes it later' }

interface Choice<Value> {
  readonly value: Value
  readonly label: string
}

/** The steps in plain words, in their order. */
export function linesFor(
  steps: readonly StepName[],
  desired: DesiredParameters,
  before: Parameters | null,
): readonly string[] {
  return steps.flatMap((step) => {
    if (step === 'set-parameters') return parameterLines(desired, before)
    if (step === 'delete-rules-file') return ['Delete the file ServiceCopyTrade_rules.dat.']
    return ['Restart the plugin.']
  })
}

function parameterLines({ apiKey, copy }: DesiredParameters, before: Parameters | null): readonly string[] {
  return [keyLine(apiKey), ...copyLines(copy, before)]
}

function keyLine(apiKey: DesiredParameters['apiKey']): string {
  // The key of before is the owner's secret; a terminal is no place for it.
  if (apiKey === 'as-before') return 'In the administrator tool set API_Key to the key that it had before this run.'
  if (apiKey.value === null) return 'In the administrator tool remove the parameter API_Key (note its value before).'
  if (apiKey.value === '') return 'In the administrator tool set API_Key to nothing at all (note its value before).'
  return `In the administrator tool set API_Key to ${apiKey.value} (note its value before).`
}

function copyLines(copy: DesiredParameters['copy'], before: Parameters | null): readonly string[] {
  if (copy !== 'as-before') {
    return ['Remove all parameters Copy_N (note their values before).', ...Object.entries(copy).map(setLine)]
  }
  if (before === null) return ['Let the parameters Copy_N be as they were before this run.']
  const own = Object.entries(before).filter(([name]) => /^Copy_\d+$/i.test(name))
  if (own.length === 0) return ['Let there be no parameter Copy_N, as before this run.']
  return ['Let the parameters Copy_N be as before this run:', ...own.map(setLine)]
}

function setLine([name, value]: readonly [string, string]): string {
  return `Set ${name} to ${value}`
}
