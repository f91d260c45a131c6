import type { Result } from './rounds.ts'
import type { Part, Reading } from './row.ts'

/** When, where and with which versions the results were measured. */
export interface Setting {
  /** ISO 8601, UTC. */
  readonly date: string
  readonly machine: string
  readonly versions: Readonly<Record<string, string>>
}

/** The latest results of each part. */
export type Results = { readonly [part in Part]?: Setting & { readonly rows: readonly Result[] } }

/** Three significant digits, without an exponent. */
export const short = (number: number): string =>
  Math.abs(number) >= 100 ? Math.round(number).toLocaleString('en') : String(Number(number.toPrecision(3)))

/** One result as a line of text. */
export function lineOf({ id, median, lowest, highest, unit, direction, goal, met }: Result): string {
  return `${met ? '✓' : '✗'} ${id}: ${short(median)} ${unit} (${short(lowest)}–${short(highest)}), goal ${direction} ${goal}`
}

/** The results as a page in Markdown. */
export function renderResults(results: Results): string {
  const sections = Object.entries(results).map(([part, { date, machine, versions, rows }]) =>
    [
      `## ${part}`,
      `${date.slice(0, 16).replace('T', ' ')} UTC, ${machine}.`,
      `${Object.entries(versions)
        .map(([name, version]) => `${name} ${version}`)
        .join(', ')}.`,
      [
        '| What | Against | Median | Spread | Rounds | Goal | Result |',
        '| --- | --- | --- | --- | --- | --- | --- |',
        ...rows.map(tableRow),
      ].join('\n'),
      ['Medians of what each side showed:', ...rows.map(sidesOf)].join('\n\n').replaceAll('\n\n- ', '\n- '),
    ].join('\n\n'),
  )
  const head = '# Results\n\nWritten by `npm run bench`. [README.md](README.md) says what each row means.'
  return `${[head, ...sections].join('\n\n')}\n`
}

function tableRow({ what, against, figures, median, lowest, highest, unit, direction, goal, met }: Result): string {
  const cells = [
    what,
    against ?? '',
    `${short(median)} ${unit}`,
    `${short(lowest)}–${short(highest)}`,
    figures.length,
    `${direction} ${goal} ${unit}`,
    met ? 'met' : '**missed**',
  ]
  return `| ${cells.join(' | ')} |`
}

function sidesOf({ id, sides }: Result): string {
  const readings = (reading: Reading) => Object.entries(reading).map(([name, number]) => `${name} ${short(number)}`)
  return `- ${id}: ${Object.entries(sides)
    .map(([side, reading]) => `${side} ${readings(reading).join(', ')}`)
    .join('; ')}`
}
