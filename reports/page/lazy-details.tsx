import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'

interface Given {
  readonly id?: string
  readonly class?: string
  readonly summary: ComponentChildren
  /** Whether it is initially open. It also opens when this becomes true. */
  readonly open?: boolean
  /** Whether it is open on a printed page. */
  readonly printed?: boolean
  /** Rendered only once it is open. */
  readonly children: () => ComponentChildren
}

export function LazyDetails({ id, class: name, summary, open = false, printed = false, children }: Given) {
  const [isOpen, setOpen] = useState(open)
  // Before the effects of the page, which scrolls to what is inside.
  useLayoutEffect(() => {
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
