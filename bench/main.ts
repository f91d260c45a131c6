import { lineOf } from './render.ts'
import { storeResults } from './results.ts'
import { measureRows, type Result } from './rounds.ts'
import { parts, rows } from './rows.ts'

const names = process.argv.slice(2)
const unknown = names.find((name) => !parts.some((part) => part === name))
if (unknown !== undefined) {
  process.stderr.write(`${unknown} is not a part. Use any of ${parts.join(', ')}, or none for all.\n`)
  process.exit(2)
}

const chosen = rows.filter(({ part }) => names.length === 0 || names.includes(part))
const results: Result[] = []
for (const measure of new Set(chosen.map((row) => row.measure))) {
  const read = chosen.filter((row) => row.measure === measure)
  try {
    const measured = await measureRows(measure, read)
    process.stdout.write(measured.map((result) => `${lineOf(result)}\n`).join(''))
    results.push(...measured)
  } catch (error) {
    process.stderr.write(`${read.map(({ id }) => id).join(', ')} could not be measured: ${error}\n`)
    process.exitCode = 1
  }
}
// In the order of the table, not in the order of measurement.
storeResults(rows.flatMap(({ id }) => results.filter((result) => result.id === id)))
