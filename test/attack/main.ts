import { parseArgs } from 'node:util'
import { measureHits } from './measure.ts'
import { hitsTable, roundLines, sumLine, table } from './print.ts'
import { type Played, play } from './rounds.ts'
import { scenarios } from './scenarios.ts'
import { violations } from './verdict.ts'

const { values } = parseArgs({
  options: {
    /** A name; `*` stands for any text. */
    scenario: { type: 'string', multiple: true },
    /** How many times each scenario is played. */
    repeat: { type: 'string', default: '10' },
    /** How many times all random scenarios together are played. */
    rounds: { type: 'string', default: '0' },
    /** Only this round of each scenario. */
    round: { type: 'string' },
    seed: { type: 'string' },
    /** How many rounds run concurrently. */
    workers: { type: 'string', default: '2' },
    verbose: { type: 'boolean', default: false },
    /** Instead, sends this many DELETE requests while another client edits the list continuously. */
    measure: { type: 'string' },
  },
})

const seed = Number(values.seed ?? Date.now() % 2 ** 30)
console.log(`seed ${seed}`)
if (values.measure !== undefined) await measure(Number(values.measure))
else await attack()

async function attack(): Promise<void> {
  const rounds = Number(values.rounds)
  const chosen = scenarios.filter(({ name, random }) =>
    values.scenario === undefined ? random === null || rounds > 0 : values.scenario.some((one) => matches(name, one)),
  )
  const randomScenarios = chosen.filter(({ random }) => random !== null).length
  const tasks = chosen.flatMap((scenario) => {
    const count = scenario.random !== null && rounds > 0 ? Math.ceil(rounds / randomScenarios) : Number(values.repeat)
    const numbers = values.round === undefined ? Array.from({ length: count }, (_, at) => at) : [Number(values.round)]
    return numbers.map((number) => ({ scenario, number, seed: seed + number }))
  })
  const played = await play(tasks, Number(values.workers), (one) => show(one))
  console.log(table(played))
  console.log(sumLine(played))
  if (played.some(({ result }) => violations.includes(result.outcome))) process.exitCode = 1
}

function matches(name: string, pattern: string): boolean {
  return new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name)
}

function show({ round, result }: Played): void {
  console.log(`${round.scenario.name} ${round.number}: ${result.outcome}${result.complete ? '' : ', incomplete'}`)
  if (values.verbose) console.log(roundLines(result))
  if (!violations.includes(result.outcome)) return
  for (const reason of result.reasons) console.log(`    ${reason}`)
  const again = `--scenario ${round.scenario.name} --seed ${seed} --round ${round.number} --verbose`
  console.log(`    npm run attack -- ${again}`)
}

async function measure(deletes: number): Promise<void> {
  const rows = []
  for (const insertsAt of ['end', 'start'] as const) {
    for (const roundTripMs of [0, 20]) {
      for (const everyMs of [50, 200, 1_000]) {
        const conditions = { insertsAt, roundTripMs, everyMs, deletes, seed }
        const measured = await measureHits(conditions)
        console.log(JSON.stringify({ ...conditions, ...measured }))
        rows.push({ conditions, measured })
      }
    }
  }
  console.log(hitsTable(rows))
}
