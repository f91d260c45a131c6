import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import type { Harm } from '../../reports/report.ts'
import { type JudgeSettings, redactorFor } from '../../suites/engine/context.ts'
import { appendLine } from '../../suites/recording/record.ts'
import { recordingSchema } from '../../suites/recording/recording.ts'
import { likenessOf, wrongKeys } from '../../suites/session/wrong-keys.ts'
import { UsageError } from '../command-error.ts'
import { kit } from '../kit.ts'
import type { RunOptions } from './options.ts'
import type { Found } from './preflight.ts'

interface Beginning {
  readonly options: RunOptions
  readonly settings: JudgeSettings
  readonly found: Found
  readonly startedAt: Date
}

/**
 * Refuses a recording that cannot be written, before anything is sent; leaves what stands there as it is.
 *
 * @throws {UsageError}
 */
export function refuseUnwritable(file: string | null): void {
  if (file === null) return
  const isThere = existsSync(file)
  writing(() => closeSync(openSync(file, 'a')))
  if (!isThere) rmSync(file, { force: true })
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
  writing(() => {
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

function writing(write: () => void): void {
  try {
    write()
  } catch (cause) {
    throw new UsageError(`--record cannot be written: ${(cause as Error).message}.`, 'Choose another path.', { cause })
  }
}
