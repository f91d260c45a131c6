import { rmSync } from 'node:fs'
import type { Harm } from '../../reports/report.ts'
import { type JudgeSettings, redactorFor } from '../../suites/engine/context.ts'
import { appendLine } from '../../suites/recording/record.ts'
import { recordingSchema } from '../../suites/recording/recording.ts'
import { likenessOf, wrongKeys } from '../../suites/session/wrong-keys.ts'
import { kit } from '../kit.ts'
import { writing } from '../writable.ts'
import type { RunOptions } from './options.ts'
import type { Found } from './preflight.ts'

interface Beginning {
  readonly options: RunOptions
  readonly settings: JudgeSettings
  readonly found: Found
  readonly startedAt: Date
}

/**
 * Writes the head of a recording, if one was asked for; an older one is replaced. The checks add to it.
 *
 * @throws {UsageError} when it cannot be written
 */
export function beginRecording({ options, settings, found, startedAt }: Beginning): { end(harm: Harm | null): void } {
  const { record: file, risk, only, skip, capacity, maxFill, seed, thorough, logins, timeoutMs } = options
  if (file === null) return { end: () => undefined }
  const { url, key } = settings.target
  writing('--record', () => {
    rmSync(file, { force: true })
    appendLine(file, {
      kind: 'run',
      schema: recordingSchema,
      kit,
      startedAt: startedAt.toISOString(),
      url: redactorFor(settings)(url),
      plugin: found.plugin,
      before: found.list?.rules ?? null,
      ...{ risk, only, skip, capacity, maxFill, seed, thorough, logins, timeoutMs },
      key: { length: key.length, wrongKeys: wrongKeys(key).length, likeness: likenessOf(key) },
    })
  })
  return { end: (harm) => appendLine(file, { kind: 'end', harm }) }
}
