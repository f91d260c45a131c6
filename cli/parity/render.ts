import { STATUS_CODES } from 'node:http'
import { plural } from '../../reports/phrases.ts'
import { visible, visibleLine } from '../../reports/visible.ts'
import { toCurl } from '../../suites/runner/curl.ts'
import { type ComparedResponse, type Difference, describePlace, pointerOf } from '../../suites/twin/compare.ts'
import type { Name } from '../../suites/twin/name.ts'
import type { Divergence } from '../../suites/twin/server-pair.ts'
import type { SidesCompared } from './compare-sides.ts'

export interface Shown {
  readonly compared: SidesCompared
  readonly seed: number
  /** What the other side is called, e.g. `profile p.yaml`. */
  readonly twin: string
  /** Takes every secret out of a text. */
  readonly redact: (text: string) => string
}

/** What stands in the terminal when the comparison has ended. */
export function renderParity({ compared, seed, twin, redact }: Shown): string {
  const { divergence, name, sequences, requests, cutShort, wording } = compared
  const effort = `${plural(sequences, 'sequence')}, ${plural(requests, 'request')} to each side, seed ${seed}`
  const words = wording.map((difference) => `  ${bothOf(difference, twin, redact)}`)
  return [
    ...(words.length === 0
      ? []
      : ['wording: texts of errors that differ, which the profile does not record', ...words]),
    ...(divergence === null ? [] : renderDivergence({ divergence, name, twin, redact })),
    divergence === null
      ? `${cutShort ? 'no divergence so far, cut short' : 'no divergence'} (${effort})`
      : `divergence: ${headline(name, twin)} (${effort})`,
    '',
  ].join('\n')
}

interface Found extends Pick<Shown, 'twin' | 'redact'> {
  readonly divergence: Divergence
  readonly name: Name | null
}

function renderDivergence({ divergence, name, twin, redact }: Found): readonly string[] {
  const { sent, differences, step } = divergence
  const lines = sent.map((exchange) => `  ${visibleLine(toCurl(exchange) ?? rawLine(exchange.request.body))}`)
  const rows = [
    ['', 'target', twin],
    ['status', statusOf(divergence.target), statusOf(divergence.twin)],
    ...headersOf(divergence),
    ['body', bodyOf(divergence.target, redact), bodyOf(divergence.twin, redact)],
  ]
  return [
    `The shortest sequence that makes the two differ (step ${step}):`,
    ...(lines.length === 0 ? ['  curl -i …/api/rules, the list as it was found'] : lines),
    '',
    ...rows.flatMap(([label = '', one = '', other = '']) => sideBySide(label, one, other)),
    '',
    ...differences
      .filter(({ wording }) => !wording)
      .slice(0, mostShown)
      .map((one) => `  ${visibleLine(describePlace(one.place))}: ${bothOf(one, twin, redact)}`),
    ...(name?.kind === 'unlisted' ? ignoreHint(divergence) : []),
    ...(name?.kind === 'requirement' ? [`  ${name.statement}`] : []),
    ...(name?.kind === 'question' ? [`  ${name.question.question}`] : []),
    '',
  ]
}

function bothOf({ target, twin }: Difference, twinName: string, redact: Shown['redact']): string {
  const shown = (value: string | null) => visibleLine(redact(value ?? 'nothing'))
  return `target ${shown(target)}, ${twinName} ${shown(twin)}`
}

/** What a server adds to its answers is its own business, but would hide all that comes after it. */
function ignoreHint({ differences }: Divergence): readonly string[] {
  const added = differences.flatMap(({ place, twin }) =>
    twin === null && place.part === 'body' && place.path.length > 0 ? [pointerOf(place.path)] : [],
  )
  const flags = [...new Set(added.map((pointer) => `--ignore '${pointer.replace(/\/\d+(?=\/)/g, '/*')}'`))]
  return flags.length === 0 ? [] : [`  To go on without what the target adds: ${visibleLine(flags.join(' '))}`]
}

const mostShown = 6

function headline(name: Name | null, twin: string): string {
  if (name?.kind === 'question') {
    return `question ${name.question.id}: target answers ${name.target}, ${twin} says ${name.twin}`
  }
  if (name?.kind === 'requirement') {
    const who = name.deviates === 'target' ? 'server' : twin.startsWith('profile') ? 'simulator' : twin
    return `${who} deviates from requirement ${name.id}`
  }
  if (name?.kind === 'text') return 'the text of an error is not the one that the profile records'
  return 'an unlisted question: no question and no requirement of the kit about it tells the two apart'
}

function statusOf(seen: ComparedResponse): string {
  return seen === null ? 'no answer' : `${seen.status} ${STATUS_CODES[seen.status] ?? ''}`.trim()
}

function bodyOf(seen: ComparedResponse, redact: (text: string) => string): string {
  if (seen === null) return ''
  return seen.text === '' ? '(empty)' : visible(redact(seen.text)).slice(0, mostCharacters)
}

const mostCharacters = 600

/** The headers in which the two differ. */
function headersOf({ differences, target, twin }: Divergence): readonly (readonly string[])[] {
  return differences.flatMap(({ place }) => {
    if (place.part !== 'header') return []
    const { name } = place
    return [[name, visibleLine(target?.headers[name] ?? '(none)'), visibleLine(twin?.headers[name] ?? '(none)')]]
  })
}

const width = 52

/** Two texts in two columns, broken where they are too wide. */
function sideBySide(label: string, one: string, other: string): readonly string[] {
  const [left, right] = [broken(one), broken(other)]
  return Array.from({ length: Math.max(left.length, right.length) }, (_, line) =>
    `  ${(line === 0 ? label : '').padEnd(16)} ${(left[line] ?? '').padEnd(width)} ${right[line] ?? ''}`.trimEnd(),
  )
}

function broken(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => line.match(new RegExp(`.{1,${width - 2}}`, 'gu')) ?? [''])
}

/** Bytes that curl cannot send, as they begin. */
function rawLine(bytes: string | null): string {
  const [line = ''] = (bytes ?? '').split('\r\n')
  return `(raw bytes) ${line}`
}
