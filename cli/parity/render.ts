import { STATUS_CODES } from 'node:http'
import { plural } from '../../reports/phrases.ts'
import { visible, visibleLine } from '../../reports/visible.ts'
import { toCurl } from '../../suites/runner/curl.ts'
import { type ComparedResponse, type Difference, describePlace } from '../../suites/twin/compare.ts'
import type { Name } from '../../suites/twin/name.ts'
import type { Divergence } from '../../suites/twin/search.ts'
import type { ComparisonResult } from './compare-servers.ts'

export interface Shown {
  readonly compared: ComparisonResult
  readonly seed: number
  /** The name of the other server, for example `profile p.yaml`. */
  readonly twin: string
  /** Whether an earlier sequence already showed a difference. */
  readonly further: boolean
  readonly redact: (text: string) => string
}

export function renderParity({ compared, seed, twin, redact, further }: Shown): string {
  const { divergence, name, sequences, requests, cutShort, wording } = compared
  const effort = `${plural(sequences, 'sequence')}, ${plural(requests, 'request')} to each server, seed ${seed}`
  const words = wording.map((difference) => `  ${bothOf(difference, twin, redact)}`)
  return [
    ...(words.length === 0 ? [] : ['wording: error texts that differ and are not in the profile', ...words]),
    ...(divergence === null ? [] : renderDivergence(divergence, { name, twin, redact })),
    divergence === null
      ? `no ${further ? 'further ' : ''}divergence${cutShort ? ' so far, stopped early' : ''} (${effort})`
      : `divergence: ${headline(name, twin)} (${effort})`,
    '',
  ].join('\n')
}

type Named = Pick<Shown, 'twin' | 'redact'> & Pick<ComparisonResult, 'name'>

function renderDivergence(divergence: Divergence, { name, twin, redact }: Named): readonly string[] {
  const { sent, differences, step } = divergence
  const shown = (text: string) => visibleLine(redact(text))
  const lines = sent.map((exchange) => {
    // The first line of bytes that curl cannot send.
    const raw = `(raw bytes) ${exchange.request.body?.split('\r\n', 1)[0] ?? ''}`
    return `  ${visibleLine(toCurl(exchange) ?? raw)}`
  })
  const rows = [
    ['', 'target', twin],
    ['status', statusOf(divergence.target), statusOf(divergence.twin)],
    ...headersOf(divergence, shown),
    ['body', bodyOf(divergence.target, redact), bodyOf(divergence.twin, redact)],
  ]
  return [
    `The shortest sequence with a divergence (step ${step.id}):`,
    ...(lines.length === 0 ? ['  curl -i …/api/rules, the initial list'] : lines),
    '',
    ...rows.flatMap(([label = '', one = '', other = '']) => sideBySide(label, one, other)),
    '',
    ...differences
      .filter(({ wording }) => !wording)
      .slice(0, maxShown)
      .map((one) => `  ${shown(describePlace(one.place))}: ${bothOf(one, twin, redact)}`),
    ...(name?.kind === 'unlisted' ? ignoreHint(divergence, shown) : []),
    ...(name?.kind === 'requirement' ? [`  ${name.statement}`] : []),
    ...(name?.kind === 'question' ? [`  ${name.question.question}`] : []),
    '',
  ]
}

function bothOf({ target, twin }: Difference, twinName: string, redact: Shown['redact']): string {
  const shown = (value: string | null) => visibleLine(redact(value ?? 'nothing'))
  return `target ${shown(target)}, ${twinName} ${shown(twin)}`
}

/** Extra members are allowed, but would hide all later differences. With another status the whole body is another one. */
function ignoreHint({ differences }: Divergence, shown: Shown['redact']): readonly string[] {
  if (differences.some(({ place }) => place.part === 'status')) return []
  const added = differences.flatMap(({ place, twin }) =>
    twin === null && place.part === 'body' && place.pointer !== '' ? [place.pointer] : [],
  )
  const flags = [...new Set(added.map((pointer) => `--ignore '${pointer.replace(/\/\d+(?=\/)/g, '/*')}'`))]
  return flags.length === 0 ? [] : [`  To ignore the members that the target adds: ${shown(flags.join(' '))}`]
}

const maxShown = 6

function headline(name: Name | null, twin: string): string {
  if (name?.kind === 'question') {
    return `question ${name.question.id}: target answers ${name.target}, ${twin} answers ${name.twin}`
  }
  if (name?.kind === 'requirement') {
    const who = name.deviates === 'target' ? 'server' : twin.startsWith('profile') ? 'simulator' : twin
    return `${who} deviates from requirement ${name.id}`
  }
  if (name?.kind === 'text') return 'an error text differs from the profile'
  return 'an unlisted question: no question and no requirement of the kit distinguishes the two'
}

function statusOf(seen: ComparedResponse): string {
  return seen === null ? 'no response' : `${seen.status} ${STATUS_CODES[seen.status] ?? ''}`.trim()
}

function bodyOf(seen: ComparedResponse, redact: (text: string) => string): string {
  if (seen === null) return ''
  return seen.text === '' ? '(empty)' : visible(redact(seen.text)).slice(0, maxCharacters)
}

const maxCharacters = 600

function headersOf({ differences, target, twin }: Divergence, shown: Shown['redact']): readonly (readonly string[])[] {
  return differences.flatMap(({ place }) => {
    if (place.part !== 'header') return []
    const { name } = place
    return [[name, shown(target?.headers[name] ?? '(none)'), shown(twin?.headers[name] ?? '(none)')]]
  })
}

const width = 52

/** Two texts in columns with wrapped lines. */
function sideBySide(label: string, one: string, other: string): readonly string[] {
  const [left, right] = [broken(one), broken(other)]
  return Array.from({ length: Math.max(left.length, right.length) }, (_, line) =>
    `  ${(line === 0 ? label : '').padEnd(16)} ${(left[line] ?? '').padEnd(width)} ${right[line] ?? ''}`.trimEnd(),
  )
}

function broken(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => line.match(new RegExp(`.{1,${width - 2}}`, 'gu')) ?? [''])
}
