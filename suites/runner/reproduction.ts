import type { FailureStep } from '../assertions/failure.ts'
import type { Exchange } from '../client/exchange.ts'
import { toCurl } from './curl.ts'
import {
  earlierCheck,
  type FailedSteps,
  isExchange,
  isSigned,
  mayHaveChanged,
  planOf,
  type ReproductionOptions,
  stepsBefore,
} from './reproduction-plan.ts'
import { explainingScript, judgingScript } from './reproduction-script.ts'
import { isSubjectOf } from './shell-verdict.ts'

/** Why no script sends what removed other rules than it should to a running server. */
const harm = 'they could remove existing rules, which only the kit adds again'

/**
 * How requests alone show a failure: the request as a command, if nothing before it can have changed the server; a script
 * that shows it or says why not; and the first request that `--keep-server` leaves to the script, null for none.
 */
export function reproduction(failed: FailedSteps, options: ReproductionOptions) {
  const { steps } = failed
  const failing = subjectOf(failed)
  if (failing === undefined) return { curl: null, script: null, decidingStep: null }
  const before = stepsBefore(failing, steps)
  const mayHarm = !options.owned && /^list\.other-/.test(failed.code ?? '')
  // Its index may belong to an existing rule by now. A script reads the list first.
  const isUnsafeAlone = !options.owned && failing.request.method === 'DELETE' && mayHaveChanged(failing)
  // Here even a read may have changed the list, the failure is the difference of two reads, or an earlier check has
  // filled the list.
  const isOfEarlierStep =
    (['list.changed-unrequested', 'account.changed'].includes(failed.code ?? '') && before.length > 0) ||
    failed.code === 'capacity.exceeded'
  const isAlone =
    !(mayHarm || isUnsafeAlone || isOfEarlierStep || isSigned(failing)) &&
    !before.some((step) => typeof step === 'string' || mayHaveChanged(step))
  const curl = isAlone ? toCurl(failing, options.keyVariable) : null
  const plan = mayHarm ? harm : planOf(before, failing, failed, options)
  if (typeof plan === 'string') {
    const rerun = plan === earlierCheck ? options.rerun.replace(/^--only \S+/, 'all checks and') : options.rerun
    const done = mayHarm ? [...before, failing].map(asNote) : [...before, failing]
    return { curl, script: explainingScript(plan, done, { ...options, rerun }), decidingStep: null }
  }
  return { curl, script: judgingScript(plan, options), decidingStep: plan.deciding[0] ?? failing }
}

function asNote(step: FailureStep): string {
  return isExchange(step) ? `${step.request.method} ${step.request.url}` : step
}

/** The request whose response is wrong. A failure may instead name the request that it was compared with. */
function subjectOf({ code, steps, failing }: FailedSteps): Exchange | undefined {
  const isSubject = isSubjectOf(code ?? '')
  if (failing === undefined || !/^(add|status)\./.test(code ?? '') || isSubject(failing)) return failing
  return stepsBefore(failing, steps).filter(isExchange).findLast(isSubject) ?? failing
}
