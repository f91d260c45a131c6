import type { Paint } from '../../reports/paint.ts'
import { visibleJson, visibleLine } from '../../reports/visible.ts'
import type { DoctorFinding, DoctorResult, Examined, ExaminedServer } from '../target/examination.ts'

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

/** Removes secrets and terminal control characters from the findings. */
export function sanitised({ examined, risk }: DoctorResult, redact: (text: string) => string): DoctorResult {
  const clean = (text: string) => visibleLine(redact(text))
  return {
    risk,
    examined: examined.map(
      ({ name, state, finding, remedy }): Examined => ({
        name,
        state,
        finding: clean(finding),
        ...(remedy === undefined ? {} : { remedy: clean(remedy) }),
      }),
    ),
  }
}
