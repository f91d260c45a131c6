import { paintFor } from '../../reports/paint.ts'
import { redactorFor } from '../../suites/runner/shared.ts'
import { exitCode } from '../exit-code.ts'
import { type ExaminedTarget, harmless, renderJson, renderText } from './render.ts'
import type { DoctorTarget } from './target.ts'

/** Examines servers by reading alone, prints what was found and returns the exit code. */
export async function doctor(targets: readonly DoctorTarget[], json: boolean): Promise<number> {
  const redact = redactorFor(targets)
  const examined: ExaminedTarget[] = []
  for (const target of targets) {
    const diagnosis = harmless(await target.examine(redact), redact)
    examined.push({ api: target.api, url: redact(target.url), diagnosis, conclusions: target.conclusions })
  }
  process.stdout.write(json ? renderJson(examined) : renderText(examined, paintFor(process.stdout)))
  return examined.some(({ diagnosis }) => diagnosis.risk === null) ? exitCode.unreachable : exitCode.conformant
}
