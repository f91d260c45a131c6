import { useEffect } from 'preact/hooks'

/** `/` goes to the search, `j` and `k` to the next and the previous failure or requirement. */
export function useShortcuts(): void {
  useEffect(() => {
    document.addEventListener('keydown', obey)
    return () => document.removeEventListener('keydown', obey)
  }, [])
}

function obey(event: KeyboardEvent): void {
  const isTyping = event.target instanceof Element && event.target.matches('input, select, textarea')
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === '/') document.querySelector<HTMLElement>('#search')?.focus()
  else if (event.key === 'j') step(1)
  else if (event.key === 'k') step(-1)
  else return
  event.preventDefault()
}

/** Moves the focus among the headlines of the requirements. */
function step(by: 1 | -1): void {
  const headlines = [...document.querySelectorAll<HTMLElement>('.requirement > summary, a.requirement')]
  const focused = headlines.indexOf(document.activeElement as HTMLElement)
  headlines[focused < 0 ? 0 : Math.min(Math.max(focused + by, 0), headlines.length - 1)]?.focus()
}
