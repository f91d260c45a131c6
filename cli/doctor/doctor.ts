import { paintFor } from '../../reports/paint.ts'
import { createRedactor } from '../../suites/client/redact.ts'
import { proxySecrets } from '../../suites/client/transport.ts'
import { exitCode } from '../exit-code.ts'
import { createDoctorContext } from './context.ts'
import { examinations } from './examinations.ts'
import { examineAll } from './examine.ts'
import type { DoctorTargets } from './options.ts'
import { createPlatformLook, platformExaminations } from './platform.ts'
import { harmless, type Looked, renderJson, renderText } from './render.ts'

/** Examines what was named by reading alone, prints what was found and returns the exit code. */
export async function doctor({ plugin, platform }: DoctorTargets, json: boolean): Promise<number> {
  const redact = createRedactor([
    ...(plugin === null ? [] : [plugin.key, ...proxySecrets(plugin.transport)]),
    ...(platform === null ? [] : [platform.key, platform.secret ?? '', ...proxySecrets(platform.transport)]),
  ])
  const looks: readonly Looked[] = [
    ...(plugin === null
      ? []
      : [{ url: redact(plugin.url), diagnosis: await examineAll(examinations, createDoctorContext(plugin, redact)) }]),
    ...(platform === null
      ? []
      : [
          {
            url: redact(platform.url),
            isPlatform: true,
            diagnosis: await examineAll(platformExaminations, createPlatformLook(platform, redact)),
          },
        ]),
  ].map((look) => ({ isPlatform: false, ...look, diagnosis: harmless(look.diagnosis, redact) }))
  process.stdout.write(json ? renderJson(looks) : renderText(looks, paintFor(process.stdout)))
  return looks.some(({ diagnosis }) => diagnosis.risk === null) ? exitCode.unreachable : exitCode.conformant
}
