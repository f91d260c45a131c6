import { paintFor } from '../../reports/paint.ts'
import { proxySecrets } from '../../suites/http/transport.ts'
import { createRedactor } from '../../suites/safety/redact.ts'
import { exitCode } from '../exit-code.ts'
import { createDoctorContext, type DoctorOptions } from './context.ts'
import { examinations } from './examinations.ts'
import { examineAll } from './examine.ts'
import { harmless, renderJson, renderText } from './render.ts'

/** Examines a target by reading alone, prints what was found and returns the exit code. */
export async function doctor(options: DoctorOptions, json: boolean): Promise<number> {
  const redact = createRedactor([options.key, ...proxySecrets(options.transport)])
  const found = await examineAll(examinations, createDoctorContext(options, redact))
  const diagnosis = harmless(found, redact)
  process.stdout.write(
    json ? renderJson(redact(options.url), diagnosis) : renderText(diagnosis, paintFor(process.stdout)),
  )
  return diagnosis.risk === null ? exitCode.unreachable : exitCode.conformant
}
