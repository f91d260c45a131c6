import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Results, renderResults, type Setting } from './render.ts'
import type { Result } from './rounds.ts'
import { parts } from './rows.ts'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Replaces the results of the measured parts, as JSON and as Markdown. */
export function storeResults(measured: readonly Result[]): void {
  const file = path('results.json')
  const earlier: Results = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const setting = currentSetting()
  const results = Object.fromEntries(
    parts.flatMap((part) => {
      const rows = measured.filter((row) => row.part === part)
      const entry = rows.length > 0 ? { ...setting, rows } : earlier[part]
      return entry === undefined ? [] : [[part, entry]]
    }),
  )
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
  writeFileSync(path('RESULTS.md'), renderResults(results))
}

function currentSetting(): Setting {
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  const { dependencies } = packageOf('package.json')
  const { name, version } = packageOf('../package.json')
  return {
    date: new Date().toISOString(),
    machine: `${availableParallelism()} cores, ${cpus()[0]?.model}, ${gigabytes} GB, ${process.platform} ${release()}`,
    versions: { [name]: `${version} (${commit()})`, node: process.version, ...dependencies },
  }
}

const packageOf = (name: string) => JSON.parse(readFileSync(path(name), 'utf8'))

function commit(): string {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: path('.'), encoding: 'utf8' }).trim()
}
