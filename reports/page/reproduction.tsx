import { useState } from 'preact/hooks'
import { canShowFailure } from '../../suites/runner/outcome.ts'
import type { ReportedCheck } from '../report.ts'
import { LazyDetails } from './lazy-details.tsx'

interface Copied {
  readonly label: string
  /** Called only when the text is copied. */
  readonly text: () => string
}

/** Copies a text. If the browser does not allow that, shows a field to copy from. */
export function CopyButton({ label, text }: Copied) {
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

export function Reproduction({ check }: { readonly check: ReportedCheck }) {
  const script = check.script ?? check.curl
  if (script === null) return null
  const exits = canShowFailure(script) ? ', which exits with 1 while the fault is there' : ', not by requests alone'
  const summary = `Reproduction in ${script.split('\n').length} lines${exits}`
  return (
    <div class="reproduction">
      <CopyButton label="Copy the reproduction" text={() => `${script}\n`} />
      <LazyDetails summary={summary} printed>
        {() => <pre>{script}</pre>}
      </LazyDetails>
    </div>
  )
}
