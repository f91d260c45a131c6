import { OutOfScope } from '../assertions/failure.ts'
import type { HttpResponse } from '../client/response.ts'
import { type Draft, type Rule, sameContent } from '../model/rule.ts'
import { type Growth, growList } from './grow.ts'
import type { Plugin } from './plugin.ts'
import { arranged, type Rules } from './rules.ts'

/** A list that was filled until the server rejected a rule. */
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

export interface FillOptions extends Pick<Growth, 'judgesRejections'> {
  readonly plugin: Plugin
  readonly rules: Rules
  /** The given capacity; null if unknown. */
  readonly capacity: number | null
  /** The maximum of rules to add. */
  readonly maxFill: number
  /** Rules of an earlier fill, which may still be in the list; new ones are appended. */
  readonly filler: Draft[]
}

/** The list accepted the maximum number of rules that may be added. */
export class NoCapacityFound extends OutOfScope {}

/** Enough rules of the kit to remove one at each end and one in between. */
const minOwn = 3

/**
 * Adds rules until one is rejected, or one more than the given capacity was accepted. Throws `FailedExpectation` if the
 * list ever differs from the acknowledged rules, and `OutOfScope` if no capacity is found within `maxFill`, or if too
 * few rules belong to the kit.
 */
export async function fillToCapacity({
  plugin,
  rules,
  capacity,
  maxFill,
  filler,
  judgesRejections,
}: FillOptions): Promise<Filled> {
  const before = await arranged(() => rules.read())
  const present = filler.filter((draft) => before.some((rule) => sameContent(rule, draft)))
  filler.splice(0, filler.length, ...present)
  const wanted = capacity === null ? Number.POSITIVE_INFINITY : capacity + 1 - before.length
  if (capacity !== null && wanted > maxFill) {
    throw new OutOfScope(
      `filling the list to its capacity of ${capacity} needs more rules than \`--max-fill ${maxFill}\` allows`,
    )
  }
  let count = before.length
  const { list, errorResponse } = await growList(
    { plugin, rules },
    {
      before,
      judgesRejections,
      most: Math.min(wanted, maxFill - filler.length),
      onAdded(draft) {
        filler.push(draft)
        count += 1
      },
    },
  )
  if (errorResponse === null && capacity === null) {
    throw new NoCapacityFound(`no capacity was found: ${filler.length} rules were added, the maximum of \`--max-fill\``)
  }
  if (filler.length < minOwn) {
    throw new OutOfScope(`the list is full, and only ${filler.length} of its rules belong to the kit`)
  }
  return { count, list, errorResponse, own: [...filler] }
}
