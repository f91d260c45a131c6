import { renderIssue } from '../failure-markdown.ts'
import { formatDuration } from '../phrases.ts'
import type { Report, ReportedCheck, ReportedRequirement } from '../report.ts'
import { Evidence } from './evidence.tsx'
import { Exchanges } from './exchanges.tsx'
import { LazyDetails } from './lazy-details.tsx'
import { CopyButton, Reproduction } from './reproduction.tsx'
import { StatusBadge, WithCode } from './section.tsx'

interface Given {
  readonly report: Report
  readonly requirement: ReportedRequirement
  /** The id of the requirement that the address names. */
  readonly target: string | null
}

/** A requirement. Its consequence and checks are rendered once it is opened. */
export function RequirementDetails({ report, requirement, target }: Given) {
  const { id, status, consequence, checks } = requirement
  const hasFailed = status === 'failed'
  const failedFirst = checks.toSorted((a, b) => Number(b.status === 'failed') - Number(a.status === 'failed'))
  return (
    <LazyDetails
      id={id}
      class={`requirement ${status}`}
      summary={<Headline requirement={requirement} />}
      open={id === target}
      printed={hasFailed}
    >
      {() => (
        <div class="inside">
          <div class="consequence">
            <p>
              <b>{hasFailed ? 'Why it matters:' : 'If broken:'}</b> {consequence}
            </p>
            {hasFailed && <CopyButton label="Copy as issue" text={() => renderIssue(requirement, report)} />}
          </div>
          {failedFirst.map((check) => (
            <Check key={check.id} check={check} />
          ))}
        </div>
      )}
    </LazyDetails>
  )
}

export function Headline({ requirement }: Pick<Given, 'requirement'>) {
  const { id, clause, level, statement, status } = requirement
  const reason = shownReason(requirement)
  return (
    <>
      <StatusBadge status={status} />
      <span class="headline">
        {statement}
        <small>
          <code>{id}</code> · clause {clause}, {level}
        </small>
        {reason !== null && (
          <small class="reason">
            <WithCode text={reason} />
          </small>
        )}
      </span>
    </>
  )
}

/** What is shown without opening the requirement: the first failure, or why it was not judged. */
function shownReason({ status, reason, checks }: ReportedRequirement): string | null {
  if (status === 'passed') return null
  const wanted = status === 'partly-judged' ? 'out-of-scope' : status
  const message = checks.find((check) => check.status === wanted)?.message ?? null
  return reason ?? (status === 'failed' || message === null ? message : `Reason: ${message}`)
}

function Check({ check }: { readonly check: ReportedCheck }) {
  const { id, title, status, code, durationMs, message, explainedBy, provenBy } = check
  return (
    <div class="check" id={id}>
      <p class="title">
        <StatusBadge status={status} />
        <span>
          <b>{id}</b> {title} {durationMs > 0 && <small>{formatDuration(durationMs)}</small>}
        </span>
      </p>
      {message !== null && (
        <p class="message">
          <WithCode text={message} /> {code && <code class="note">{code}</code>}
        </p>
      )}
      {status === 'failed' && <Evidence check={check} />}
      <Reproduction check={check} />
      <Exchanges {...check} />
      <Defects title="Explained by" ids={explainedBy} />
      <Defects title="This check fails for these defects, among others" ids={provenBy} />
    </div>
  )
}

function Defects({ title, ids = [] }: { readonly title: string; readonly ids: readonly string[] | undefined }) {
  if (ids.length === 0) return null
  return (
    <p class="note">
      {title}:{' '}
      {ids.map((id) => (
        <code key={id}>{id} </code>
      ))}
    </p>
  )
}
