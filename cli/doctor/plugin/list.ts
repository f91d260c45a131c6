import { FailedExpectation } from '../../../suites/assertions/failure.ts'
import { describeRule } from '../../../suites/model/rule.ts'
import { isWithin } from '../../../suites/session/logins.ts'
import { rulesIn } from '../../../suites/session/rules.ts'
import type { Finding } from '../examination.ts'
import type { PluginLook } from './context.ts'
import { nearestFreeRange } from './free-range.ts'

/** Whether the rules can be read, and how many there are. */
export async function examineList({ list }: PluginLook): Promise<Finding> {
  const answer = await list()
  try {
    const { length } = rulesIn(answer)
    const { total } = answer.json as { total?: unknown }
    if (total === length) return { state: 'ok', finding: `${counted(length)}, and total agrees` }
    return {
      state: 'warning',
      finding: `${counted(length)}, but total is ${String(total ?? 'missing')}`,
      remedy: 'A run judges this; check that nothing between here and the plugin cuts the list.',
    }
  } catch (error) {
    if (!(error instanceof FailedExpectation)) throw error
    return {
      state: 'problem',
      finding: `GET /api/rules cannot be understood: ${error.message}`,
      remedy: 'Only --risk read is possible: without the list the kit could not take its rules away again.',
    }
  }
}

/** How many rules can still be added. */
export async function examineCapacity({ list, capacity }: PluginLook): Promise<Finding> {
  if (capacity === null) {
    return {
      state: 'skipped',
      finding: 'cannot be known by reading',
      remedy:
        'State it with --capacity <n>, and it is judged exactly; else --risk exclusive adds rules until one is refused.',
    }
  }
  const { length } = rulesIn(await list())
  const free = capacity - length
  const used = `${length} of ${capacity} rules used`
  if (free > 0)
    return { state: 'ok', finding: `${used}: --risk exclusive adds ${free + 1}, which --max-fill must allow` }
  return free === 0
    ? {
        state: 'warning',
        finding: `${used}: it is full`,
        remedy: 'Remove rules: what needs a rule of the kit is not judged.',
      }
    : { state: 'warning', finding: `${used}: more than can be`, remedy: 'Give the true capacity with --capacity <n>.' }
}

/** Whether rules of others are in the range that the kit takes its logins from. */
export async function examineLogins({ list, logins }: PluginLook): Promise<Finding> {
  const rules = rulesIn(await list())
  const range = `${logins.from}-${logins.to}`
  const foreign = rules.filter((rule) => isWithin(logins, rule))
  const [first] = foreign
  if (first === undefined) return { state: 'ok', finding: `no rule uses a login of ${range}` }
  const free = nearestFreeRange(logins, rules)
  return {
    state: 'problem',
    finding: `${counted(foreign.length)} with a login of ${range}, the first is ${describeRule(first)}`,
    remedy:
      free === null
        ? 'Give run a smaller range that belongs to nobody with --logins <from>-<to>.'
        : `Give run --logins ${free.from}-${free.to} if those belong to nobody; what an interrupted run left is for copytrade-tck restore.`,
  }
}

function counted(count: number): string {
  return count === 1 ? '1 rule' : `${count} rules`
}
