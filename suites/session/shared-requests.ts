import { CannotArrange, FailedExpectation } from '../assertions/failure.ts'
import type { Exchange } from '../client/exchange.ts'
import type { HttpResponse } from '../client/response.ts'
import { type Draft, haveSameLogins, type Rule } from '../model/rule.ts'
import type { CheckHeader } from './check.ts'
import { noOpRequests } from './no-op-requests.ts'
import { type PluginRequest, type RequestOverrides, toJson } from './plugin.ts'
import { post, remove, requestsToReject } from './rejected-requests.ts'
import { arranged, requireSuccess, rulesIn } from './rules.ts'
import type { Session, SharedExchange } from './session.ts'

/** What the check header says of a check that uses `writesToReject`. */
export const sharesWrites = { shares: 'writes to reject' } as const

/** Writes to reject and requests that ask for no change. A foreign server gets them once, and its list is read after each. */
export function writesToReject(session: Session, readsList = !session.owned): AsyncIterable<SharedExchange> {
  return sendOnce(session, sharesWrites.shares, readsList, async function* ({ arrange, draft }) {
    const [, rule] = await arrange(2)
    yield* [...requestsToReject(rule, draft), ...noOpRequests(rule, draft)]
  })
}

/** Changes that several checks judge. */
interface Changes extends Required<Pick<CheckHeader, 'shares'>> {
  /** `add` is the POST of a rule, a number the DELETE of the rule at this place among the added ones. */
  readonly steps: readonly ('add' | number)[]
  /** Whether only responses are judged: a removal may have no effect, and is the last step. */
  readonly judgesResponses?: boolean
}

export const eightAdditions: Changes = { shares: 'eight additions', steps: Array(8).fill('add') }
/** The third of four rules is removed, then the third, the first and the last of five. */
export const additionsAndRemovals: Changes = {
  shares: 'additions and removals',
  steps: ['add', 'add', 'add', 'add', 2, 'add', 'add', 2, 0, -1],
}
export const additionAndRemoval: Changes = {
  shares: 'an addition and a removal',
  steps: ['add', -1],
  judgesResponses: true,
}

/** Sends these changes once, and throws `CannotArrange` after one that is rejected or has no effect. */
export async function* sendChanges(
  session: Session,
  { shares, steps, judgesResponses = false }: Changes,
  overrides: RequestOverrides = {},
): AsyncGenerator<SharedExchange> {
  const exchanges = sendOnce(session, shares, !judgesResponses, async function* ({ draft, read }, sent) {
    const drafts: Draft[] = []
    let own: readonly Rule[] = []
    let kept = 0
    for (const step of steps) {
      if (step === 'add') drafts.push(draft())
      const index = step === 'add' ? null : own.at(step)?.index
      if (index === undefined) throw new CannotArrange('an added rule is not listed')
      yield { ...(index === null ? post(toJson(drafts.at(-1))) : remove(index)), ...overrides }
      sent.slice(-1).forEach(requireDone)
      kept += step === 'add' ? 1 : -1
      if (judgesResponses && step !== 'add') continue
      own = await arranged(async () => {
        const list = judgesResponses ? await read() : around(sent.at(-1)).list
        return list.filter((rule) => drafts.some((one) => haveSameLogins(one, rule)))
      })
      if (own.length !== kept && !judgesResponses) throw new CannotArrange('a change had no effect')
    }
  })
  for await (const exchange of exchanges) {
    if (!judgesResponses) requireDone(exchange)
    yield exchange
  }
}

const requireDone = ({ request, response }: SharedExchange) => requireSuccess(request.method, response)

/**
 * Sends requests, unless another check has sent them to this server. `requests` gets the exchanges so far, as some depend
 * on the list after an earlier one.
 *
 * @param lists whether to read the list around each request, or the list before the first one if it was just read
 */
export async function* sendOnce(
  { plugin, rules, known }: Session,
  what: string,
  lists: boolean | HttpResponse,
  requests: (
    rules: Session['rules'],
    sent: readonly SharedExchange[],
  ) => Iterable<PluginRequest> | AsyncIterable<PluginRequest>,
): AsyncGenerator<SharedExchange> {
  const found = known.find(what)
  if (found !== null) return yield* found
  const sent: SharedExchange[] = []
  for await (const request of requests(rules, sent)) {
    const before = sent.at(-1)?.lists.at(-1) ?? (lists === true ? await plugin.list() : lists)
    const response = await plugin.send(request)
    const exchange = { request, response, lists: before === false ? [] : [before, await plugin.list()] }
    sent.push(exchange)
    yield exchange
  }
  known.store(what, sent)
}

/** A failure has the exchanges up to it as its steps, since an earlier check may have sent all of them. */
export async function judgeEach<Shared extends SharedExchange>(
  exchanges: AsyncIterable<Shared>,
  judge: (exchange: Shared) => void | Promise<void>,
): Promise<void> {
  const steps: Exchange[] = []
  for await (const shared of exchanges) {
    const { response, lists } = shared
    const responses = [...(steps.length === 0 ? lists.slice(0, 1) : []), response, ...lists.slice(1)]
    steps.push(...responses.map(({ exchange }) => exchange))
    try {
      await judge(shared)
    } catch (error) {
      if (!(error instanceof FailedExpectation)) throw error
      throw error.with({}, { steps, exchange: error.exchange ?? steps.at(-1) ?? null })
    }
  }
}

/** Judges each of these changes, with the lists around it. */
export const judgeChanges =
  (changes: Changes, judge: (exchange: SharedExchange) => void | Promise<void>) => (session: Session) =>
    judgeEach(sendChanges(session, changes), judge)

export const draftIn = ({ request }: SharedExchange): Draft => JSON.parse(`${request.body}`)

/** The lists around a request; empty if they were not read. */
export function around(exchange: SharedExchange | undefined) {
  const [before = [], list = []] = (exchange?.lists ?? []).map(rulesIn)
  return { before, list }
}

/** The listed rule that a DELETE names. */
export function removedBy(exchange: SharedExchange): Rule | undefined {
  const { method, path } = exchange.request
  return method === 'DELETE' ? around(exchange).before.find(({ index }) => path === remove(index).path) : undefined
}
