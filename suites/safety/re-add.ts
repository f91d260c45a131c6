import { type Draft, describeRule } from '../model/rule.ts'
import { addAgain, type ForeignList, lostBetween, readList, recordPossiblyLost } from './foreign-rules.ts'

/**
 * Adds foreign rules again, in this order. Stops at the first one that the server rejects, or with which
 * another one disappears. Returns why it stopped; null if all were added.
 */
export async function reAdd(
  rules: readonly Draft[],
  options: ForeignList & { readonly onAdded: (rule: Draft) => void },
): Promise<string | null> {
  for (const rule of rules) {
    const before = await readList(options)
    const { status, list } = await addAgain({ index: 0, ...rule }, null, options)
    if (status !== 201) return `the server answered ${status} when ${describeRule(rule)} was to be added again`
    options.onAdded(rule)
    const lost = lostBetween(before, list, options)
    if (lost.length > 0) {
      recordPossiblyLost(lost, false, options)
      return `${lost.map(describeRule).join(', ')} disappeared when ${describeRule(rule)} was added again; nothing more is added`
    }
  }
  return null
}
