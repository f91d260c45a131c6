import { type Exchange, isRead, type Message, operationOf } from '../client/exchange.ts'
import type { Case } from '../session/check.ts'
import type { Outcome } from './outcome.ts'

/** By question, the answer that needs no evidence; null to keep all evidence of all checks. */
export type ExpectedAnswers = Readonly<Record<string, string>> | null

/** Longer bodies of passed checks are truncated. */
const longestBody = 300

/** The outcome with all exchanges if it is a failure, blocked or unexpected, otherwise only with the deciding ones. */
export function decisiveEvidence(outcome: Outcome, check: Case, expected: ExpectedAnswers): Outcome {
  const { status, answer } = outcome
  const isUnexpected = 'question' in check && status === 'passed' && answer !== expected?.[check.question]
  if (expected === null || isUnexpected || ['failed', 'blocked', 'error'].includes(status)) return outcome
  const exchanges = 'requirement' in check ? deciding(outcome.exchanges).map(shortened) : []
  const exchangesOmitted = outcome.exchangesOmitted + outcome.exchanges.length - exchanges.length
  return { ...outcome, exchanges, exchangesOmitted }
}

/** The last change, and the last exchange, which shows its effect. */
function deciding(exchanges: readonly Exchange[]): readonly Exchange[] {
  const change = exchanges.findLast(({ request }) => !isRead(request.method))
  return exchanges.filter((one, at) => one === change || at === exchanges.length - 1)
}

function shortened({ request, response, ...exchange }: Exchange): Exchange {
  return { ...exchange, request: withShortBody(request), response: response && withShortBody(response) }
}

/** The recorder may already have truncated the body. Both truncations are counted then. */
function withShortBody<Any extends Message>(message: Any): Any {
  const [, start = '', more = 0] = /^(.*?)(?:… \((\d+) more characters\))?$/s.exec(message.body ?? '') ?? []
  if (start.length <= longestBody) return message
  const omitted = start.length - longestBody + Number(more)
  return { ...message, body: `${start.slice(0, longestBody)}… (${omitted} more characters)` }
}

/** The durations of responses in milliseconds, by documented operation. A rejected request does less work. */
export function durationsOf(exchanges: readonly Exchange[]): Readonly<Record<string, readonly number[]>> {
  const found: Record<string, number[]> = {}
  for (const exchange of exchanges) {
    const operation = operationOf(exchange)
    if (operation === null || exchange.response === null || exchange.response.status >= 400) continue
    found[operation] ??= []
    found[operation].push(exchange.durationMs)
  }
  return found
}
