import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

interface Given {
  readonly id?: string
  readonly class?: string
  readonly summary: ComponentChildren
  /** Whether it is open at first, and from the moment on in which this becomes true. */
  readonly open?: boolean
  /** Whether a printed page has it open. */
  readonly printed?: boolean
  /** What it holds. Rendered only once it is open. */
  readonly children: () => ComponentChildren
}

/** Folded details that cost nothing until they are opened. */
export function LazyDetails({ id, class: name, summary, open = false, printed = false, children }: Given) {
  const [isOpen, setOpen] = useState(open)
  useEffect(() => {
    if (open) setOpen(true)
  }, [open])
  useEffect(() => {
    if (!printed) return
    const unfold = () => setOpen(true)
    addEventListener('beforeprint', unfold)
    return () => removeEventListener('beforeprint', unfold)
  }, [printed])
  return (
    <details id={id} class={name} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && children()}
    </details>
  )
}
