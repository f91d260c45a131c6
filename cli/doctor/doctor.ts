import { randomUUID } from 'node:crypto'
import { type Paint, paintFor } from '../../reports/paint.ts'
import { visibleJson } from '../../reports/visible.ts'
import { createShared } from '../../suites/runner/shared.ts'
import { UsageError } from '../command-error.ts'
import { exitCode } from '../exit-code.ts'
import { readKey } from '../options/read-files.ts'
import { resolveRunOptions } from '../options/run-options.ts'
import { apis } from '../target/apis.ts'
import type { DoctorFinding, ExaminedServer } from '../target/examination.ts'
import type { DoctorFlags } from './command.ts'

/** Sends only reads. Flags are resolved as for `run`, so that both reach the same servers with the same keys. */
export async function doctor({ json, ...flags }: DoctorFlags): Promise<number> {
  const hasKey = readKey(flags) !== null
  // Without a key this one stands in for it. It is never sent.
  const key = hasKey ? {} : { apiKey: randomUUID() }
  const options = resolveRunOptions({ ...flags, ...key, plan: true })
  const chosen = apis.flatMap((api) => {
    const one = api.choose(options)
    return one?.examine === undefined ? [] : [{ ...one, name: api.name, examine: one.examine }]
  })
  if (chosen.length === 0) {
    throw new UsageError('`doctor` requires a target.', 'Give `--target <url>`, `--platform-url <url>` or both.')
  }
  const shared = createShared(chosen.map((one) => ({ ...one, maxRequestsPerSecond: null })))
  const targets: ExaminedTarget[] = []
  for (const { name, examine } of chosen) targets.push({ api: name, ...(await examine({ options, shared }, hasKey)) })
  const text = () => targets.map((target) => renderText(target, paintFor(process.stdout))).join('\n')
  process.stdout.write(json ? renderJson(targets) : text())
  return targets.some(({ risk }) => risk === null) ? exitCode.unreachable : exitCode.conformant
}

const colours: Readonly<Record<DoctorFinding['state'], Parameters<Paint>[0]>> = {
  ok: 'green',
  warning: 'yellow',
  problem: 'red',
  skipped: 'dim',
}

type ExaminedTarget = ExaminedServer & { readonly api: string }

export function renderText({ examined, conclusion }: ExaminedTarget, paint: Paint): string {
  const width = Math.max(...examined.map(({ name }) => name.length))
  const lines = examined.map(({ state, name, finding, remedy }) => {
    const label = `${paint(colours[state], state.padEnd('problem'.length))}  ${name.padEnd(width)}`
    return `${label}  ${finding}${remedy === undefined ? '' : ` → ${remedy}`}`
  })
  return `${[...lines, paint('bold', conclusion)].join('\n')}\n`
}

/** JSON: the plugin's result at the top level, that of another API under its name. */
function renderJson(targets: readonly ExaminedTarget[]): string {
  const resultOf = ({ examined, risk }: ExaminedTarget) => ({ ready: risk !== null, risk, examinations: examined })
  const plugin = targets.find(({ api }) => api === 'plugin')
  const others = targets.filter(({ api }) => api !== 'plugin')
  const found = {
    target: plugin?.url ?? null,
    ...(plugin === undefined ? { ready: null, risk: null, examinations: [] } : resultOf(plugin)),
    ...Object.fromEntries(others.map((other) => [other.api, { url: other.url, ...resultOf(other) }])),
  }
  return `${visibleJson(found, 2)}\n`
}
