import { parseArgs } from 'node:util'
import { contentOf } from './oracle.ts'
import { type RoundResult, runRound } from './round.ts'
import { scenarios } from './scenarios.ts'
import { outcomes, violations } from './verdict.ts'

const { values } = parseArgs({
  options: {
    scenario: { type: 'string', multiple: true },
    repeat: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '0' },
    seed: { type: 'string' },
    round: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
})

const seed = Number(values.seed ?? Date.now() % 2 ** 30)
const chosen = scenarios.filter(({ name, random }) => {
  if (values.scenario !== undefined) return values.scenario.some((one) => matches(name, one))
  return random === null || Number(values.rounds) > 0
})
const randomOnes = chosen.filter(({ random }) => random !== null)
const counts = new Map<string, Map<string, number>>()
const found: string[] = []

function matches(name: string, pattern: string): boolean {
  return new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name)
}

/** Random scenarios share the rounds; each of the others is repeated. */
function roundsOf(isRandom: boolean): number {
  const rounds = Number(values.rounds)
  return isRandom && rounds > 0 ? Math.ceil(rounds / randomOnes.length) : Number(values.repeat)
}

console.log(`seed ${seed}, ${chosen.length} scenarios`)
for (const scenario of chosen) {
  const numbers = Array.from({ length: roundsOf(scenario.random !== null) }, (_, at) => at)
  const wanted = values.round === undefined ? numbers : [Number(values.round)]
  for (const number of wanted) {
    const result = await runRound(scenario, seed + number)
    const row = counts.get(scenario.name) ?? new Map<string, number>()
    counts.set(scenario.name, row)
    row.set(result.outcome, (row.get(result.outcome) ?? 0) + 1)
    if (!result.complete) row.set('incomplete', (row.get('incomplete') ?? 0) + 1)
    if (violations.includes(result.outcome)) {
      found.push(`npm run attack -- --scenario ${scenario.name} --seed ${seed} --round ${number} --verbose`)
      console.log(`${scenario.name} ${number}: ${result.reasons.join('\n    ')}`)
    }
    if (values.verbose) show(result)
  }
  console.log(
    `${scenario.name}: ${[...(counts.get(scenario.name) ?? [])].map(([what, count]) => `${what} ${count}`).join(', ')}`,
  )
}
printTable()
for (const line of found) console.log(line)
if (found.length > 0) process.exitCode = 1

function show({ outcome, reasons, first, passed, last, ended }: RoundResult): void {
  const line = (list: typeof first) => (list ?? []).map(contentOf).join(', ')
  console.log(`first: ${line(first)}`)
  for (const { by, method, path, status, before, after } of passed) {
    const [old, now] = [before, after].map((list) => (list ?? []).map(contentOf))
    const gone = old?.filter((rule) => !now?.includes(rule)) ?? []
    const added = now?.filter((rule) => !old?.includes(rule)) ?? []
    console.log(
      `${by} ${method} ${path} ${status} ${gone.map((rule) => `-${rule}`)} ${added.map((rule) => `+${rule}`)}`,
    )
  }
  console.log(`last: ${line(last)}`)
  for (const { command, code, signal, output, report } of ended) {
    console.log(`${command}: ${code ?? signal}\n${output}`)
    if (report !== null) console.log(JSON.stringify(report.harm, null, 1))
  }
  console.log(`${outcome}\n${reasons.join('\n')}`)
}

function printTable(): void {
  console.log(`\n| Scenario | ${outcomes.join(' | ')} |\n| --- |${' ---: |'.repeat(outcomes.length)}`)
  for (const [name, row] of counts) {
    console.log(`| ${name} | ${outcomes.map((outcome) => row.get(outcome) ?? 0).join(' | ')} |`)
  }
}
