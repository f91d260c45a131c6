import type { Status } from '../suites/runner/outcome.ts'
import { asSentence, driftLine, firstOf, gateLine, levelCounts, listChangesLine, plural } from './phrases.ts'
import type { Harm, Report, ReportedRequirement, RequirementStatus } from './report.ts'

interface Evidence extends Pick<Report, 'requirements' | 'observations'> {
  readonly scope: Pick<Report['scope'], 'strict' | 'complete'>
  readonly target: Pick<Report['target'], 'kind'>
  readonly harm: Pick<Harm, 'restored' | 'unreachable'> | null
}

type Judgement = Pick<Report, 'verdict' | 'explanation'>

/** The verdict and the sentence that explains it. Unjudged requirements never count as success. */
export function judgeEvidence(evidence: Evidence): Judgement {
  const failures = countingFailures(evidence) ?? lossOfOwn(evidence)
  if (failures !== null) return { verdict: 'non-conformant', explanation: failures }
  const gaps = gapsIn(evidence)
  if (gaps !== null) return { verdict: 'incomplete', explanation: gaps }
  return withinScope(evidence)
}

function countingFailures({ requirements, scope }: Evidence): string | null {
  const failed = requirements.filter(({ level, status }) => status === 'failed' && levelCounts(level, scope.strict))
  if (failed.length === 0) return null
  const kind = scope.strict ? 'requirement' : 'required requirement'
  const ids = failed.map(({ id }) => id)
  return `${plural(failed.length, kind)} failed: ${firstOf(ids, 3)}.`
}

/** No other client can have changed the list of a server that the kit started. */
export function lossOfOwn({ target, harm }: Pick<Evidence, 'target' | 'harm'>): string | null {
  if (target.kind === 'url' || !isListLost(harm)) return null
  const what = harm.unreachable ? 'no longer responds' : 'no longer has the list that it was started with'
  return `The server that the kit started ${what} at the end of the run.`
}

function gapsIn({ requirements, observations, scope }: Evidence): string | null {
  const judged = [...requirements.flatMap((requirement) => requirement.checks), ...observations]
  const count = (status: Status) => judged.filter((one) => one.status === status).length
  // A failed observation fails no requirement, but leaves its question unanswered.
  const unanswered = observations.filter((observation) => observation.status === 'failed').length
  const gaps = [
    ...(count('error') > 0 ? [`${plural(count('error'), 'check')} ended in an internal error`] : []),
    ...(count('blocked') > 0 ? [`${plural(count('blocked'), 'check')} could not be judged (blocked)`] : []),
    ...(unanswered > 0 ? [`${plural(unanswered, 'question')} could not be answered`] : []),
  ]
  if (gaps.length > 0) return `No counting failure, but ${gaps.join(' and ')}.`
  if (!requirements.some(isJudged))
    return 'No counting failure, but no requirement passed either: the target was not judged.'
  const outside = requirements.filter(isOutside).length
  if (!scope.complete || outside === 0) return null
  return `No counting failure, but ${plural(outside, 'requirement was', 'requirements were')} out of scope or only partly judged, and \`--complete\` requires all of them.`
}

/** No failure counts: `conformant` only if every `required` requirement was fully judged. */
function withinScope({ requirements }: Evidence): Judgement {
  const count = (status: RequirementStatus) => requirements.filter((one) => one.status === status).length
  const outside = requirements.filter(({ level, ...one }) => level === 'required' && isOutside(one)).length
  const lower = count('failed') > 0 ? `; ${plural(count('failed'), 'finding')} below the level \`required\`` : ''
  if (outside === 0) {
    const unjudged = count('out-of-scope') + count('partly-judged') + count('not-applicable')
    const rest = unjudged > 0 ? `; ${unjudged} not or partly judged (out of scope or not applicable)` : ''
    const explanation = `${plural(count('passed'), 'requirement')} passed${rest}${lower}.`
    return { verdict: 'conformant', explanation }
  }
  const judged = requirements.filter(isJudged).length
  const required = requirements.filter(({ level }) => level === 'required').length
  const rest = `${outside} of ${required} \`required\` ones not or only partly judged`
  const explanation = `No failure in ${judged} of ${plural(requirements.length, 'requirement')}; ${rest}${lower}.`
  return { verdict: 'partial', explanation }
}

type Judged = Pick<ReportedRequirement, 'status'>
const isJudged = ({ status }: Judged) => status === 'passed' || status === 'partly-judged'
const isOutside = ({ status }: Judged) => status === 'out-of-scope' || status === 'partly-judged'

/** Whether drift fails the run. It breaks no requirement, so it counts only with `--strict`. */
export function driftCounts({ drift, scope }: Report): boolean {
  return scope.strict && (drift?.findings.length ?? 0) > 0
}

/** Whether the list is not, or perhaps not, what it was before the run, so that a run of a foreign server ends with 5 or 4. */
export function isListLost(harm: Evidence['harm']): harm is NonNullable<typeof harm> {
  return harm !== null && (!harm.restored || harm.unreachable)
}

/** What the run did to the list. */
export function listSentence(report: Pick<Report, 'target' | 'harm'>): string {
  return lossOfOwn(report) ?? asSentence(listChangesLine(report.harm))
}

/** Why a run does not succeed, besides its checks. */
export function otherFailures(report: Report): readonly { readonly about: string; readonly message: string }[] {
  const { verdict, explanation, harm, gate, drift, scope } = report
  const all = {
    list: isListLost(harm) && [listSentence(report), ...harm.differences].join(' '),
    baseline: gate !== null && gate.findings.length > 0 && asSentence(gateLine(gate)),
    profile: drift !== null && driftCounts(report) && asSentence(driftLine(drift, scope.strict)),
    incomplete: verdict === 'incomplete' && explanation,
  }
  return Object.entries(all).flatMap(([about, message]) => (message === false ? [] : [{ about, message }]))
}

/** Whether an observation left its question unanswered although it was in scope. */
export function isUnanswered({ status }: { readonly status: Status }): boolean {
  return status === 'failed' || status === 'blocked' || status === 'error'
}

/** What no check of a requirement shows of a run that does not succeed, for lists of test cases. */
export function besideRequirements(report: Report) {
  const open = report.observations.filter(isUnanswered)
  return [
    ...open.map(({ check, text, question: about, status, message }) => {
      return { name: `${check} ${text}`, about, status, message: message ?? status }
    }),
    ...otherFailures(report).map(({ about, message }) => {
      return { name: `run: ${about}`, about: 'run', status: 'failed' as const, message }
    }),
  ]
}

/** A requirement has the worst status of its checks; a judged status comes before an unjudged one. */
const worstFirst: readonly Status[] = ['failed', 'error', 'blocked', 'passed', 'out-of-scope', 'not-applicable']

/** The status of a requirement with these checks; `partly-judged` if some passed and others were out of scope. */
export function requirementStatus(checks: readonly { readonly status: Status }[]): RequirementStatus {
  const has = (status: Status) => checks.some((check) => check.status === status)
  const worst = worstFirst.find(has) ?? 'out-of-scope'
  return worst === 'passed' && has('out-of-scope') ? 'partly-judged' : worst
}
