import { type Paint, paintFor } from '../../reports/paint.ts'
import { visibleJson } from '../../reports/visible.ts'
import { redactorFor } from '../../suites/runner/shared.ts'
import { UsageError } from '../command-error.ts'
import { exitCode } from '../exit-code.ts'
import { readKey } from '../options/read-files.ts'
import { defaultRunFlags, type RunFlags } from '../options/run-definitions.ts'
import { resolveRunOptions } from '../options/run-options.ts'
import { apis } from '../target/apis.ts'
import type { DoctorFinding, DoctorResult, ExaminedServer } from '../target/examination.ts'
import type { DoctorFlags } from './command.ts'

/** Examines servers with reads only, prints the findings and returns the exit code. */
export async function doctor({ json, ...flags }: DoctorFlags): Promise<number> {
  const targets = await targetsOf(flags)
  const redact = redactorFor(targets)
  const examined: ExaminedTarget[] = []
  for (const target of targets) {
    const { api, url, conclusions } = target
    examined.push({ api, url: redact(url), result: await target.examine(redact), conclusions })
  }
  process.stdout.write(json ? renderJson(examined) : renderText(examined, paintFor(process.stdout)))
  return examined.some(({ result }) => result.risk === null) ? exitCode.unreachable : exitCode.conformant
}

/**
 * The servers to examine. The flags are resolved as for `run`, so that both commands reach the same servers with the
 * same keys.
 *
 * @throws {UsageError} for a bad URL, or a missing target
 */
async function targetsOf(flags: Partial<RunFlags>) {
  const hasKey = readKey(flags) !== null
  // A placeholder that is never sent: without a key only the examinations that need none run.
  const key = hasKey ? {} : { apiKey: 'none' }
  const resolved = resolveRunOptions({ ...defaultRunFlags(), ...flags, ...key, plan: true })
  const servers = apis.map(async (api) => ({ api: api.name, server: (await api.examined?.(resolved, hasKey)) ?? null }))
  const targets = (await Promise.all(servers)).flatMap(({ api, server }) =>
    server === null ? [] : [{ api, ...server }],
  )
  if (targets.length > 0) return targets
  throw new UsageError('`doctor` requires a target.', 'Give `--target <url>`, `--platform-url <url>` or both.')
}

const colours: Readonly<Record<DoctorFinding['state'], Parameters<Paint>[0]>> = {
  ok: 'green',
  warning: 'yellow',
  problem: 'red',
  skipped: 'dim',
}

export interface ExaminedTarget extends Pick<ExaminedServer, 'url' | 'conclusions'> {
  readonly api: string
  readonly result: DoctorResult
}

/** One line for each examination, and a conclusion. */
export function renderText(targets: readonly ExaminedTarget[], paint: Paint): string {
  return targets.map((target) => renderOne(target, paint)).join('\n')
}

function renderOne({ result: { examined, risk }, conclusions }: ExaminedTarget, paint: Paint): string {
  const width = Math.max(...examined.map(({ name }) => name.length))
  const lines = examined.map(({ state, name, finding, remedy }) => {
    const label = `${paint(colours[state], state.padEnd('problem'.length))}  ${name.padEnd(width)}`
    return `${label}  ${finding}${remedy === undefined ? '' : ` → ${remedy}`}`
  })
  const conclusion = conclusions[risk === null ? 'none' : risk === 'read' ? 'read' : 'any']
  return `${[...lines, paint('bold', conclusion)].join('\n')}\n`
}

/** JSON: the plugin's result at the top level, that of another API under its name. */
export function renderJson(targets: readonly ExaminedTarget[]): string {
  const resultOf = ({ result: { examined, risk } }: ExaminedTarget) => ({
    ready: risk !== null,
    risk,
    examinations: examined,
  })
  const plugin = targets.find(({ api }) => api === 'plugin')
  const others = targets.filter(({ api }) => api !== 'plugin')
  const found = {
    target: plugin?.url ?? null,
    ...(plugin === undefined ? { ready: null, risk: null, examinations: [] } : resultOf(plugin)),
    ...Object.fromEntries(others.map((other) => [other.api, { url: other.url, ...resultOf(other) }])),
  }
  return `${visibleJson(found, 2)}\n`
}
