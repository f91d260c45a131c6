import type { ReportedCheck } from '../report.ts'
import { marked, type Piece } from './difference.ts'
import { historyIn } from './history.ts'
import { HistoryPicture } from './history-picture.tsx'
import { listShiftOf } from './list-shift.ts'
import { ListShiftPicture } from './list-shift-picture.tsx'

/** The expected and the actual result, as a picture if possible, and as text with the differences marked. */
export function Evidence({ check }: { readonly check: ReportedCheck }) {
  const history = historyIn(check.actual)
  if (history !== null) return <HistoryPicture history={history} expected={check.expected} />
  const shift = listShiftOf(check)
  if (shift !== null) return <ListShiftPicture shift={shift} />
  return <Comparison check={check} />
}

function Comparison({ check: { expected, actual } }: { readonly check: ReportedCheck }) {
  if (expected === null && actual === null) return null
  const [left, right] = marked(expected ?? '', actual ?? '')
  return (
    <div class="pair">
      <Side name="Expected" pieces={left} />
      <Side name="Actual" pieces={right} />
    </div>
  )
}

function Side({ name, pieces }: { readonly name: 'Expected' | 'Actual'; readonly pieces: readonly Piece[] }) {
  const Mark = name === 'Expected' ? 'ins' : 'del'
  return (
    <figure class={name.toLowerCase()}>
      <figcaption>{name}</figcaption>
      <pre>{pieces.map(({ text, differs }) => (differs ? <Mark>{text}</Mark> : text))}</pre>
    </figure>
  )
}
