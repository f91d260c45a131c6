import { useState } from 'preact/hooks'

interface Given {
  readonly label: string
  /** Called only when the text is copied. */
  readonly text: () => string
}

/** Copies a text. If the browser does not allow that, shows a field to copy from. */
export function CopyButton({ label, text }: Given) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text())
      setState('copied')
    } catch {
      setState('failed')
    }
  }
  return (
    <>
      <button type="button" onClick={copy}>
        {label}
      </button>
      <span class="note" role="status">
        {state === 'copied' && 'Copied'}
      </span>
      {state === 'failed' && <textarea aria-label={label} readOnly rows={8} value={text()} />}
    </>
  )
}
