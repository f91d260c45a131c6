import { plural } from '../phrases.ts'
import type { Change, ListShift, ShiftedRow } from './list-shift.ts'

const words: Readonly<Partial<Record<Change, string>>> = {
  removed: 'removed',
  vanished: 'vanished',
  'still-there': 'should be gone',
  appeared: 'should not be here',
  beyond: 'not in the other excerpt',
}

/** In units of the picture. The style sheet decides the actual size of a row. */
const rowHeight = 40
const width = 72

/** Two lists side by side, with an arrow from each rule to where it went. */
export function ListShiftPicture({ shift }: { readonly shift: ListShift }) {
  const { titles, left, right, arrows, more } = shift
  const rows = Math.max(left.length, right.length)
  const middle = (row: number) => (row + 0.5) * rowHeight
  return (
    <div class="shift">
      <List title={titles[0]} rows={left} more={more[0]} />
      <svg
        style={{ '--rows': rows }}
        viewBox={`0 0 ${width} ${rows * rowHeight}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={description(shift)}
      >
        {arrows.map(({ from, to, change }) => (
          <path
            key={from}
            class={change}
            d={`M2 ${middle(from)} C${width / 2} ${middle(from)} ${width / 2} ${middle(to)} ${width - 8} ${middle(to)} m-5 -4 l6 4 l-6 4`}
          />
        ))}
      </svg>
      <List title={titles[1]} rows={right} more={more[1]} />
    </div>
  )
}

interface Listed {
  readonly title: string
  readonly rows: readonly ShiftedRow[]
  readonly more: number
}

function List({ title, rows, more }: Listed) {
  return (
    <div>
      <p class="note">{title}</p>
      <ol>
        {rows.map(({ index, rule, change, shouldBe }, place) => (
          <li key={place} class={change}>
            <b>{index ?? ''}</b> <span>{rule}</span>{' '}
            <em>{shouldBe === null ? words[change] : `should be ${shouldBe}`}</em>
          </li>
        ))}
      </ol>
      {more > 0 && <p class="note">and {plural(more, 'more rule')}</p>}
      {rows.length === 0 && <p class="note">The list is empty.</p>}
    </div>
  )
}

function description({ left, right }: ListShift): string {
  const count = (rows: readonly ShiftedRow[], change: Change) => rows.filter((row) => row.change === change).length
  const parts = [
    [count(right, 'misplaced'), 'in a wrong place'],
    [count(left, 'vanished'), 'vanished'],
    [count(right, 'still-there') + count(right, 'appeared'), 'that should not be there'],
  ] as const
  const found = parts.filter(([number]) => number > 0).map(([number, what]) => `${plural(number, 'rule')} ${what}`)
  return `Where each rule went: ${found.join(', ') || 'no rule is out of place'}.`
}
