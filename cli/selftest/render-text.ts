import type { Paint } from '../../reports/paint.ts'
import { formatDuration, plural } from '../../reports/phrases.ts'
import { visibleLine } from '../../reports/visible.ts'
import type { Law } from './laws.ts'
import type { ApiMatrix, DefectRow } from './matrix.ts'
import type { Selftest } from './selftest.ts'

/** The verdicts on a defect. Those that need no attention come first. */
const killLabels: Readonly<Record<DefectRow['verdict'], string>> = {
  'killed-by-all': 'killed',
  hidden: 'masked by the profile',
  'killed-by-some': 'killed by some',
  'killed-by-others': 'killed only by others',
  survived: 'survived',
}

const laws: readonly (readonly [law: Law, name: string])[] = [
  [1, 'No false alarm'],
  [2, 'No blind spot'],
  [3, 'No unproven check'],
  [4, 'A twin is exact'],
]

/** Renders the kill matrix by requirement, the chosen defects, and the laws with their violations. */
export function renderText(document: Selftest, paint: Paint): string {
  const { apis, scope, seed, durationMs, findings, passed } = document
  const conclusion = passed ? 'passed: all laws hold' : `failed: ${plural(findings.length, 'violation')}`
  return [
    ...apis.flatMap((api) => matrixLines(api, paint)),
    ...(scope.only.length > 0 ? apis.flatMap(({ defects }) => defects.flatMap(defectLines)) : []),
    ...apis.flatMap(detectionLines),
    ...laws.map(([law, name]) => lawLine(document, law, name, paint)),
    `Defects: ${defectCounts(document) || 'none'}. Seed ${seed}, ${formatDuration(durationMs)}.`,
    '',
    ...findings.map(({ sentence }) => `${paint('red', '✕')} ${visibleLine(sentence)}`),
    paint('bold', `Self-test ${conclusion}.`),
    ...(passed ? [] : [`Reproduce with \`--seed ${seed}\`.`]),
  ].join('\n')
}

const columns = ['broken by', 'caught', 'also failed', 'false alarms'] as const

function matrixLines({ name, requirements }: ApiMatrix, paint: Paint): readonly string[] {
  const width = Math.max(...requirements.map(({ id }) => id.length))
  const lines = requirements.map(({ id, brokenBy, caught, alsoRed, falseAlarms, unproven }) => {
    const wrong = unproven || falseAlarms > 0 || caught.length < brokenBy.length
    const counts = [brokenBy.length, caught.length, alsoRed.length, falseAlarms]
    const cells = columns.map((column, place) => String(counts[place]).padStart(column.length))
    return paint(wrong ? 'red' : 'dim', [id.padEnd(width), ...cells].join('  '))
  })
  return [paint('bold', [name.padEnd(width), ...columns].join('  ')), ...lines, '']
}

/** The verdict on a defect with every requirement concerned. */
function defectLines({ id, verdict, breaks, ...row }: DefectRow): readonly string[] {
  const { killedBy, killedAlone, missedBy, hiddenFrom, blocked } = row
  const lists = [
    ['caught by', killedBy.filter((requirement) => breaks.includes(requirement))],
    ['only on a server of its own', killedAlone],
    ['missed by', missedBy],
    ['masked for', hiddenFrom],
    ['also failed', killedBy.filter((requirement) => !breaks.includes(requirement))],
    ['could not be judged', blocked],
  ] as const
  const lines = lists.flatMap(([title, ids]) => (ids.length === 0 ? [] : [`  ${title}: ${ids.join(', ')}`]))
  return [`${id}: ${killLabels[verdict]}`, ...lines, '']
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

function lawLine(document: Selftest, law: Law, name: string, paint: Paint): string {
  const against = document.findings.filter((finding) => finding.law === law).length
  const sign = against === 0 ? paint('green', '✓') : paint('red', '✕')
  return `${sign} Law ${law}  ${name.padEnd(18)}  ${sizeOf(document, law)}${against === 0 ? '' : `: ${plural(against, 'violation')}`}`
}

function sizeOf({ apis, scope }: Selftest, law: Law): string {
  const requirements = apis.flatMap((api) => api.requirements)
  const profiles = plural(apis.flatMap((api) => api.profiles).length + apis.length, 'profile')
  const defects = plural(apis.flatMap((api) => api.defects).length, 'defect')
  if (law === 1) return `${profiles}, ${plural(requirements.length, 'requirement')}`
  if (law === 2) return scope.combined === 0 ? defects : `${defects}, ${scope.combined} also under random answers`
  if (law === 3) return plural(requirements.filter(({ unproven }) => !unproven).length, 'requirement')
  return scope.only.length > 0 ? 'not tested with --only' : profiles
}

function defectCounts({ apis }: Selftest): string {
  const verdicts = apis.flatMap(({ defects }) => defects.map(({ verdict }) => verdict))
  return Object.entries(killLabels)
    .map(([kill, label]) => [verdicts.filter((verdict) => verdict === kill).length, label] as const)
    .filter(([count]) => count > 0)
    .map(([count, label]) => `${count} ${label}`)
    .join(', ')
}
