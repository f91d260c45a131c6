import type { Paint } from '../../reports/paint.ts'
import { formatDuration, plural } from '../../reports/phrases.ts'
import { visibleLine } from '../../reports/visible.ts'
import type { ApiMatrix, Selftest } from './document.ts'
import { conclusion, countKills, extentOf, killLabels, kills, laws } from './verdicts.ts'

/** The kill matrix by requirement, the laws and their violations, for a terminal. */
export function renderText(document: Selftest, paint: Paint): string {
  const { seed, durationMs, findings, passed } = document
  return [
    ...document.apis.flatMap((api) => matrixLines(api, paint)),
    ...document.apis.flatMap((api) => detectionLines(api)),
    ...laws.map(({ law, name }) => lawLine(document, { law, name }, paint)),
    `Defects: ${defectCounts(document) || 'none'}. Seed ${seed}, ${formatDuration(durationMs)}.`,
    '',
    ...findings.map(({ sentence }) => `${paint('red', '✕')} ${visibleLine(sentence)}`),
    paint('bold', conclusion(document)),
    ...(passed ? [] : [`Reproduce with \`--seed ${seed}\`.`]),
  ].join('\n')
}

function matrixLines({ name, requirements }: ApiMatrix, paint: Paint): readonly string[] {
  const width = Math.max(...requirements.map(({ id }) => id.length))
  const header = `${name.padEnd(width)}  broken by  caught  also failed  false alarms`
  const cells = requirements.map(({ id, brokenBy, caught, alsoRed, falseAlarms, toothless }) => {
    const wrong = toothless || falseAlarms > 0 || caught.length < brokenBy.length
    const counts = [
      String(brokenBy.length).padStart('broken by'.length),
      String(caught.length).padStart('caught'.length),
      String(alsoRed.length).padStart('also failed'.length),
      String(falseAlarms).padStart('false alarms'.length),
    ].join('  ')
    return paint(wrong ? 'red' : 'dim', `${id.padEnd(width)}  ${counts}`)
  })
  return [paint('bold', header), ...cells, '']
}

function detectionLines({ detection }: ApiMatrix): readonly string[] {
  if (detection.length === 0) return []
  const width = Math.max(...detection.map(({ summary }) => summary.length))
  const lines = detection.map(
    ({ summary, caught, beyond, missed }) =>
      `${summary.padEnd(width)}  ${caught.length} caught, ${beyond.length} out of scope, ${missed.length} missed`,
  )
  return ['Defects by scope of the run:', ...lines, '']
}

function lawLine(document: Selftest, { law, name }: Pick<(typeof laws)[number], 'law' | 'name'>, paint: Paint): string {
  const against = document.findings.filter((finding) => finding.law === law).length
  const sign = against === 0 ? paint('green', '✓') : paint('red', '✕')
  return `${sign} Law ${law}  ${name.padEnd(18)}  ${extentOf(document, law)}${against === 0 ? '' : `: ${plural(against, 'violation')}`}`
}

function defectCounts(document: Selftest): string {
  return kills
    .toReversed()
    .map((kill) => [countKills(document, kill), killLabels[kill]] as const)
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`)
    .join(', ')
}
