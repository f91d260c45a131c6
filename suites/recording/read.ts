import { readFileSync } from 'node:fs'
import {
  type RecordedExchange,
  type RecordedRaw,
  type RecordedRun,
  type RecordingLine,
  recordingSchema,
} from './recording.ts'

/** A recording as a replay needs it. */
export interface Recording {
  readonly run: RecordedRun
  readonly checks: ReadonlyMap<string, RecordedCheck>
  /** What became of the list; null where the run did not come to its end. */
  readonly harm: unknown
}

export interface RecordedCheck {
  readonly drafts: number
  /** In the order of sending. */
  readonly exchanges: readonly RecordedExchange[]
  readonly raw: readonly RecordedRaw[]
}

/** The file is no recording that this kit can read. */
export class UnreadableRecordingError extends Error {
  override readonly name = 'UnreadableRecordingError'
  readonly hint = 'Give a file that copytrade-tck run --record has written.'
}

/** @throws UnreadableRecordingError */
export function readRecording(file: string): Recording {
  const [first, ...rest] = linesOf(file)
  if (first?.kind !== 'run' || first.schema !== recordingSchema) {
    throw new UnreadableRecordingError(`${file} is no recording: it does not begin with ${recordingSchema}.`)
  }
  const of = <Kind extends RecordingLine['kind']>(kind: Kind) =>
    rest.filter((line): line is Extract<RecordingLine, { kind: Kind }> => line.kind === kind)
  const byNumber = (one: { number: number }, other: { number: number }) => one.number - other.number
  const [exchanges, raw] = [of('exchange').toSorted(byNumber), of('raw').toSorted(byNumber)]
  const checks = of('check').map(
    ({ check, drafts }) =>
      [
        check,
        {
          drafts,
          exchanges: exchanges.filter((one) => one.check === check),
          raw: raw.filter((one) => one.check === check),
        },
      ] as const,
  )
  return { run: first, checks: new Map(checks), harm: of('end')[0]?.harm ?? null }
}

function linesOf(file: string): readonly RecordingLine[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as RecordingLine)
  } catch (cause) {
    throw new UnreadableRecordingError(`${file} cannot be read: ${(cause as Error).message}.`, { cause })
  }
}
