import { after } from '../assertions/after.ts'
import { expectSameLines } from '../assertions/expect.ts'
import { CannotArrange } from '../assertions/failure.ts'
import type { HttpResponse } from '../client/response.ts'
import { contentLine, type Draft, type Rule } from '../model/rule.ts'
import type { Plugin } from './plugin.ts'
import type { Rules } from './rules.ts'

export interface Growth {
  /** The list before the first rule. */
  readonly before: readonly Rule[]
  /** The maximum of rules to add. */
  readonly most: number
  /** The check judges whether a list that rejects one rule rejects the next. */
  readonly judgesRejections?: boolean | undefined
  /** Called with each acknowledged rule. */
  readonly onAdded?: (draft: Draft) => void
}

/** The list afterwards, and the error response that ended it; null if there was none. */
export interface Grown {
  readonly list: readonly Rule[]
  readonly errorResponse: HttpResponse | null
}

/** Adds rules until one is rejected. The list is read from time to time and must consist of the acknowledged rules. */
export async function growList(
  { plugin, rules }: { readonly plugin: Plugin; readonly rules: Rules },
  { before, most, judgesRejections = false, onAdded }: Growth,
): Promise<Grown> {
  const expected: Draft[] = [...before]
  const readExpected = async () => {
    const list = await rules.read()
    await after(`${expected.length - before.length} POSTs`, async () =>
      expectSameLines('list.not-as-acknowledged', list.map(contentLine), expected.map(contentLine)),
    )
    return list
  }
  // Rejects responses with another reason than a full list: they do not occur again, or are about the key.
  const requireFull = async () => {
    const draft = rules.draft()
    const response = await plugin.add(draft)
    if (response.status >= 300 && response.status !== 401) return
    if (response.status < 300) onAdded?.(draft)
    throw new CannotArrange(`a rule was rejected, and the next one was answered with ${response.status}`)
  }
  let list = before
  for (let added = 0; added < most; added += 1) {
    const draft = rules.draft()
    const response = await plugin.add(draft)
    // The checks of POST judge a 2xx status other than 201; the rule was accepted anyway.
    if (response.status >= 300) {
      const full = await readExpected()
      if (!judgesRejections) await requireFull()
      return { list: full, errorResponse: response }
    }
    onAdded?.(draft)
    expected.push(draft)
    if (isRead(expected.length) || added + 1 === most) list = await readExpected()
  }
  return { list, errorResponse: null }
}

/** Whether the list is read at this length: at each of the first lengths, then whenever it has grown by a fifth. */
function isRead(length: number): boolean {
  const step = (of: number) => Math.floor(Math.log(of) / Math.log(1.2))
  return length <= 16 || step(length) > step(length - 1)
}
