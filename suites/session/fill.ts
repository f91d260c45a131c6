import { expectSameLines } from '../assertions/expect.ts'
import { after, CannotArrange, OutOfScope } from '../assertions/failure.ts'
import type { HttpResponse } from '../client/response.ts'
import { contentLine, type Draft, type Rule, sameContent } from '../model/rule.ts'
import type { Plugin } from './plugin.ts'
import { arranged, type Rules } from './rules.ts'

export interface Filled {
  /** The number of rules before the rejected one, according to the responses. */
  readonly count: number
  /** The list, read after the rejection. */
  readonly list: readonly Rule[]
  /** The response to the rule beyond the capacity; null if the given capacity was exceeded without an error. */
  readonly errorResponse: HttpResponse | null
  /** The rules of the kit in the list, oldest first: at least three. */
  readonly own: readonly Draft[]
}

interface RuleAccess {
  readonly plugin: Plugin
  readonly rules: Rules
}

export interface FillOptions extends Pick<Growth, 'judgesRejections'>, RuleAccess {
  /** The given capacity; null if unknown. */
  readonly capacity: number | null
  readonly maxFill: number
  /** Rules of an earlier fill, which may still be in the list; new ones are appended. */
  readonly filler: Draft[]
}

export class NoCapacityFound extends OutOfScope {}

/** Enough rules of the kit to remove one at each end and one in between. */
const minOwn = 3

/**
 * Adds rules until one is rejected, or one more than the given capacity was accepted. Throws `FailedExpectation` if the
 * list ever differs from the acknowledged rules, and `OutOfScope` if no capacity is found within `maxFill` or with the
 * unused followers, or if too few rules belong to the kit.
 */
export async function fillToCapacity(options: FillOptions): Promise<Filled> {
  const { plugin, rules, capacity, maxFill, filler, judgesRejections } = options
  const before = await arranged(() => rules.read())
  const present = filler.filter((draft) => before.some((rule) => sameContent(rule, draft)))
  filler.splice(0, filler.length, ...present)
  const wanted = capacity === null ? Number.POSITIVE_INFINITY : capacity + 1 - before.length
  if (capacity !== null && wanted > maxFill) {
    throw new OutOfScope(
      `filling the list to its capacity of ${capacity} needs more rules than \`--max-fill ${maxFill}\` allows`,
    )
  }
  const most = Math.min(wanted, maxFill - filler.length)
  const { list, errorResponse } = await growList({ plugin, rules }, { before, most, added: filler, judgesRejections })
  if (errorResponse === null && capacity === null) {
    throw new NoCapacityFound(`no capacity was found: ${filler.length} rules were added, the maximum of \`--max-fill\``)
  }
  if (filler.length < minOwn) {
    throw new OutOfScope(`the list is full, and only ${filler.length} of its rules belong to the kit`)
  }
  return { count: before.length - present.length + filler.length, list, errorResponse, own: [...filler] }
}

export interface Growth {
  readonly before: readonly Rule[]
  readonly most: number
  /** The check judges whether a list that rejects one rule rejects the next. */
  readonly judgesRejections?: boolean | undefined
  /** Each acknowledged rule is appended to these. */
  readonly added?: Draft[]
}

/** Adds rules until one is rejected. The list is read from time to time and must consist of the acknowledged rules. */
export async function growList(
  { plugin, rules }: RuleAccess,
  { before, most, judgesRejections = false, added = [] }: Growth,
) {
  const expected: Draft[] = [...before]
  const readExpected = async () => {
    const list = await rules.read()
    await after(`${expected.length - before.length} POSTs`, () =>
      expectSameLines('list.not-as-acknowledged', list.map(contentLine), expected.map(contentLine)),
    )
    return list
  }
  // Rejects responses with another reason than a full list: they do not occur again, or are about the key.
  const requireFull = async () => {
    const draft = rules.draft()
    const response = await plugin.add(draft)
    if (response.status >= 300 && response.status !== 401) return
    if (response.status < 300) added.push(draft)
    throw new CannotArrange(`a rule was rejected, and the next one was answered with ${response.status}`)
  }
  let list = before
  for (let count = 1; count <= most; count += 1) {
    const draft = rules.draft()
    const response = await plugin.add(draft)
    // The checks of POST judge a 2xx status other than 201; the rule was accepted anyway.
    if (response.status >= 300) {
      const full = await readExpected()
      if (mayBeDuplicate(response) && expected.some(({ follower }) => follower === draft.follower)) {
        throw new NoCapacityFound(
          `no capacity was found: after ${added.length} rules \`--logins\` has no unused follower, and a further rule for one was answered with ${response.status}`,
        )
      }
      if (!judgesRejections) await requireFull()
      return { list: full, errorResponse: response }
    }
    added.push(draft)
    expected.push(draft)
    if (isRead(expected.length) || count === most) list = await readExpected()
  }
  return { list, errorResponse: null }
}

/** Whether a server that allows a pair of logins or a follower only once may respond like this. */
const mayBeDuplicate = ({ status }: HttpResponse) => status >= 400 && status < 500 && status !== 401 && status !== 429

/** Whether the list is read at this length: at each of the first lengths, then whenever it has grown by a fifth. */
function isRead(length: number): boolean {
  const step = (of: number) => Math.floor(Math.log(of) / Math.log(1.2))
  return length <= 16 || step(length) > step(length - 1)
}
