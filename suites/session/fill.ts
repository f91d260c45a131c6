import { OutOfScope } from '../assertions/failure.ts'
import type { HttpResponse } from '../client/response.ts'
import { type Draft, type Rule, sameContent } from '../model/rule.ts'
import type { Plugin } from './plugin.ts'
import { arranged, type Rules } from './rules.ts'

/** A list that was filled until the server refused a rule. */
export interface Filled {
  /** The rules in the list before the refused one was sent, as the acknowledgements say. */
  readonly count: number
  /** The list as it was read after the refusal. */
  readonly list: readonly Rule[]
  /** The answer to the rule that was too many; null if the stated capacity was passed without one. */
  readonly refusal: HttpResponse | null
  /** The rules of the kit in the list, oldest first: at least three. */
  readonly own: readonly Draft[]
}

export interface FillOptions {
  readonly plugin: Plugin
  readonly rules: Rules
  /** The stated capacity, null where it is not known. */
  readonly capacity: number | null
  /** The most rules that may be added. */
  readonly maxFill: number
  /** Rules that an earlier fill added and that may still be there; new ones are appended. */
  readonly filler: Draft[]
}

/** How many rules the kit needs of its own to remove one at each end and one between. */
const fewestOwn = 3

/**
 * Adds rules until one is refused, or one more than the stated capacity was accepted. Throws
 * `OutOfScope` if no capacity shows within `maxFill`, or if hardly any rule would be the kit's own.
 */
export async function fillToCapacity({ plugin, rules, capacity, maxFill, filler }: FillOptions): Promise<Filled> {
  const before = await arranged(() => rules.read())
  const present = filler.filter((draft) => before.some((rule) => sameContent(rule, draft)))
  filler.splice(0, filler.length, ...present)
  const wanted = capacity === null ? Number.POSITIVE_INFINITY : capacity + 1 - before.length
  if (capacity !== null && wanted > maxFill) {
    throw new OutOfScope(`filling the list to its capacity of ${capacity} takes more rules than --max-fill ${maxFill}`)
  }
  let count = before.length
  let refusal: HttpResponse | null = null
  while (refusal === null && count - before.length < wanted && filler.length < maxFill) {
    const draft = rules.draft()
    const response = await plugin.add(draft)
    // Another 2xx than 201 is for the checks of POST to judge; the rule was taken all the same.
    if (response.status < 300) {
      filler.push(draft)
      count += 1
    } else {
      refusal = response
    }
  }
  if (refusal === null && capacity === null) {
    throw new OutOfScope(`no capacity was found: ${filler.length} rules were added, the most that --max-fill allows`)
  }
  if (filler.length < fewestOwn) {
    throw new OutOfScope(`the list is full, and only ${filler.length} of its rules are the kit's own`)
  }
  return { count, list: await arranged(() => rules.read()), refusal, own: [...filler] }
}
