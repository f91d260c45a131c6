import type { Paint } from '../../reports/paint.ts'
import { visibleLine } from '../../reports/visible.ts'
import type { Finding } from './examination.ts'
import type { Diagnosis, Examined } from './examine.ts'

const colours: Readonly<Record<Finding['state'], Parameters<Paint>[0]>> = {
  ok: 'green',
  warning: 'yellow',
  problem: 'red',
  skipped: 'dim',
}

/** What was found at one server. */
export interface Looked {
  readonly url: string
  readonly isPlatform: boolean
  readonly diagnosis: Diagnosis
}

/** One line for each examination, and one for what they mean together. */
export function renderText(looks: readonly Looked[], paint: Paint): string {
  return looks.map(({ diagnosis, isPlatform }) => renderOne(diagnosis, isPlatform, paint)).join('\n')
}

function renderOne({ examined, risk }: Diagnosis, isPlatform: boolean, paint: Paint): string {
  const width = Math.max(...examined.map(({ name }) => name.length))
  const lines = examined.map(({ state, name, finding, remedy }) => {
    const label = `${paint(colours[state], state.padEnd('problem'.length))}  ${name.padEnd(width)}`
    return `${label}  ${finding}${remedy === undefined ? '' : ` → ${remedy}`}`
  })
  return `${[...lines, paint('bold', conclusion(risk, isPlatform))].join('\n')}\n`
}

/** The same for programs. */
export function renderJson(looks: readonly Looked[]): string {
  const plugin = looks.find(({ isPlatform }) => !isPlatform)
  const platform = looks.find(({ isPlatform }) => isPlatform)
  const stateOf = ({ diagnosis: { examined, risk } }: Looked) => ({
    ready: risk !== null,
    risk,
    examinations: examined,
  })
  const found = {
    target: plugin?.url ?? null,
    ...(plugin === undefined ? { ready: null, risk: null, examinations: [] } : stateOf(plugin)),
    ...(platform === undefined ? {} : { platform: { url: platform.url, ...stateOf(platform) } }),
  }
  return `${JSON.stringify(found, null, 2)}\n`
}

/** Takes secrets out of what was found, and whatever could move the cursor of a terminal. */
export function harmless({ examined, risk }: Diagnosis, redact: (text: string) => string): Diagnosis {
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

function conclusion(risk: Diagnosis['risk'], isPlatform: boolean): string {
  if (risk === null) return `Not ready: the ${isPlatform ? 'platform' : 'target'} cannot be judged.`
  if (isPlatform) return 'Ready: run can judge it; with --risk write and --group <slug> it creates demo accounts.'
  if (risk === 'read') return 'Ready for --risk read alone: a problem forbids to write.'
  return 'Ready: run can judge it with any --risk.'
}
