import { canShowFailure } from '../../suites/runner/outcome.ts'
import type { ReportedCheck } from '../report.ts'
import { CopyButton } from './copy-button.tsx'
import { LazyDetails } from './lazy-details.tsx'

/** The whole reproduction as a script. */
export function Reproduction({ check }: { readonly check: ReportedCheck }) {
  const script = check.script ?? check.curl
  if (script === null) return null
  const exits = canShowFailure(script) ? ', which exits with 1 while the fault is there' : ', not by requests alone'
  return (
    <div class="reproduction">
      <CopyButton label="Copy the reproduction" text={() => `${script}\n`} />
      <LazyDetails
        summary={
          <>
            Reproduction in {script.split('\n').length} lines{exits}
          </>
        }
        printed
      >
        {() => <pre>{script}</pre>}
      </LazyDetails>
    </div>
  )
}
