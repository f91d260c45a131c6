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
      remedy: 'A run judges this. Check that no proxy truncates the list.',
    }
  } catch (error) {
    if (!(error instanceof FailedExpectation)) throw error
    return {
      state: 'problem',
      finding: `GET /api/rules has an unexpected response: ${error.message}`,
      remedy: 'Use `--risk read`: without the list the kit cannot remove its rules.',
    }
  }
}

/** How many rules can still be added. */
export async function examineCapacity({ list, capacity }: PluginLook): Promise<Finding> {
  if (capacity === null) {
    return {
      state: 'skipped',
      finding: 'unknown: GET does not show it',
      remedy:
        'Give `--capacity <n>` to judge it exactly. Otherwise `--risk exclusive` adds rules until one is rejected.',
    }
  }
  const { length } = rulesIn(await list())
  const free = capacity - length
  const used = `${length} of ${capacity} rules used`
  if (free > 0)
    return { state: 'ok', finding: `${used}; --risk exclusive adds ${free + 1}, which --max-fill must allow` }
  return free === 0
    ? {
        state: 'warning',
        finding: `${used}: the list is full`,
        remedy: 'Remove rules. Checks that add a rule are not judged on a full list.',
      }
    : { state: 'warning', finding: `${used}: more than the capacity`, remedy: 'Give the correct `--capacity <n>`.' }
}

/** Whether existing rules use logins of the kit's range. */
export async function examineLogins({ list, logins }: PluginLook): Promise<Finding> {
  const rules = rulesIn(await list())
  const range = `${logins.from}-${logins.to}`
  const foreign = rules.filter((rule) => isWithin(logins, rule))
  const [first] = foreign
  if (first === undefined) return { state: 'ok', finding: `no rule uses a login in ${range}` }
  const free = nearestFreeRange(logins, rules)
  return {
    state: 'problem',
    finding: `${counted(foreign.length)} with a login in ${range}; the first is ${describeRule(first)}`,
    remedy:
      free === null
        ? 'Give an unused range with `--logins <from-to>`.'
        : `Give \`--logins ${free.from}-${free.to}\` if no account uses them. After an interrupted run, use \`copytrade-tck restore\`.`,
  }
}

function counted(count: number): string {
  return count === 1 ? '1 rule' : `${count} rules`
}
