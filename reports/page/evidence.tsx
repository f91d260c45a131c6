import { diffLines, diffWordsWithSpace } from 'diff'
import type { ReportedCheck } from '../report.ts'
import { listShiftOf } from './list-shift.ts'
import { ListShiftPicture } from './list-shift-picture.tsx'

/** The expected and the actual result, as a picture if possible, and as text with the differences marked. */
export function Evidence({ check }: { readonly check: ReportedCheck }) {
  const { expected, actual } = check
  const shift = listShiftOf(check)
  if (shift !== null) return <ListShiftPicture shift={shift} />
  if (expected === null && actual === null) return null
  const [left, right] = marked(expected ?? '', actual ?? '')
  // A timeline needs the whole width.
  return (
    <div class={isTimeline(actual ?? '') ? '' : 'pair'}>
      <Side name="Expected" pieces={left} />
      <Side name="Actual" pieces={right} />
    </div>
  )
}

function Side({ name, pieces }: { readonly name: 'Expected' | 'Actual'; readonly pieces: Pieces }) {
  const Mark = name === 'Expected' ? 'ins' : 'del'
  return (
    <figure class={name.toLowerCase()}>
      <figcaption>{name}</figcaption>
      <pre>{pieces.map(({ text, differs }) => (differs ? <Mark>{text}</Mark> : text))}</pre>
    </figure>
  )
}

type Pieces = readonly { readonly text: string; readonly differs: boolean }[]
type Sides = readonly [left: Pieces, right: Pieces]

/** Longer texts are compared by lines. */
const longestByWords = 2000

/** Overlapping requests, as lines from each request to its response. */
const isTimeline = (text: string) => text.startsWith('list before: ')

/** Marks the differences of two texts. If the status differs, the body after it is not compared. */
export function marked(expected: string, actual: string): Sides {
  if (isTimeline(actual)) return [[{ text: expected, differs: false }], [{ text: actual, differs: false }]]
  const [, status, body] = /^(status \d+)(: .*)$/s.exec(actual) ?? []
  if (status === undefined || body === undefined) return differences(expected, actual)
  const [left, right] = differences(expected, status)
  return [left, [...right, { text: body, differs: false }]]
}

function differences(expected: string, actual: string): Sides {
  const isLong = Math.max(expected.length, actual.length) > longestByWords
  const changes = isLong ? diffLines(expected, actual) : diffWordsWithSpace(expected, actual)
  const side = (own: 'added' | 'removed', other: 'added' | 'removed') =>
    changes.filter((change) => !change[other]).map((change) => ({ text: change.value, differs: change[own] }))
  return [side('removed', 'added'), side('added', 'removed')]
}
