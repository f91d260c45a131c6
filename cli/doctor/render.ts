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

/** One line for each examination, and one for what they mean together. */
export function renderText({ examined, risk }: Diagnosis, paint: Paint): string {
  const width = Math.max(...examined.map(({ name }) => name.length))
  const lines = examined.map(({ state, name, finding, remedy }) => {
    const label = `${paint(colours[state], state.padEnd('problem'.length))}  ${name.padEnd(width)}`
    return `${label}  ${finding}${remedy === undefined ? '' : ` → ${remedy}`}`
  })
  return `${[...lines, paint('bold', conclusion(risk))].join('\n')}\n`
}

/** The same for programs. */
export function renderJson(url: string, { examined, risk }: Diagnosis): string {
  return `${JSON.stringify({ target: url, ready: risk !== null, risk, examinations: examined }, null, 2)}\n`
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

function conclusion(risk: Diagnosis['risk']): string {
  if (risk === null) return 'Not ready: the target cannot be judged.'
  if (risk === 'read') return 'Ready for --risk read alone: a problem forbids to write.'
  return 'Ready: run can judge it with any --risk.'
}
