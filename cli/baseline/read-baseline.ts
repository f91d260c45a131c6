import { z } from 'zod'
import { InvalidDocumentError } from '../../simulator/documents/parse-document.ts'
import { readDocument } from '../../simulator/documents/read-document.ts'
import { UsageError } from '../command-error.ts'
import { readTextFile } from '../read-file.ts'
import { type Baseline, baselineSchema } from './baseline.ts'

/** Whether every entry must have a reason. A file that is still being filled in may lack some. */
export type Reasons = 'demanded' | 'open'

/**
 * Reads a file of known failures, YAML or JSON.
 *
 * @throws {UsageError} when it cannot be read or is invalid, with the line and the member
 */
export function readBaseline(path: string, reasons: Reasons = 'demanded'): Baseline {
  const hint = 'Write one with `copytrade-tck baseline <report.json>`.'
  return parseBaseline({ text: readTextFile(path, { name: 'The baseline', hint }), path, reasons })
}

/** The text of a baseline, and its path for messages. */
export interface BaselineText {
  readonly text: string
  readonly path: string
  readonly reasons: Reasons
}

/** @throws {UsageError} when the text is invalid, with the line and the member */
export function parseBaseline({ text, path, reasons }: BaselineText): Baseline {
  try {
    return readDocument(documentSchema(reasons), { text, name: path })
  } catch (cause) {
    if (!(cause instanceof InvalidDocumentError)) throw cause
    const hint = 'Correct the file, or write it again with `copytrade-tck baseline <report.json> --out <file> --force`.'
    throw new UsageError(cause.message, hint, { cause })
  }
}

const filled = z.string().trim().min(1, 'is empty. Fill it in or remove it')
const reason = z.string().trim()

/** Rejects dates that do not exist, such as 2026-02-30. */
const day = filled.refine((text) => {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null
  return date !== null && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}, 'is not a date. Give a day like `2026-12-31`')

function documentSchema(reasons: Reasons) {
  const entry = z.strictObject({
    check: filled,
    reason: reasons === 'open' ? reason : reason.min(1, 'is empty. Say why this failure is accepted'),
    signature: filled,
    owner: filled.optional().transform((text) => text ?? null),
    expires: day.optional().transform((text) => text ?? null),
  })
  return z.strictObject({
    schema: z.literal(baselineSchema),
    knownFailures: z.array(entry).superRefine((entries, context) => {
      for (const [index, { check }] of entries.entries()) {
        if (entries.findIndex((other) => other.check === check) === index) continue
        const message = `is ${check}, which already has an entry. Keep one of them`
        context.addIssue({ code: 'custom', path: [index, 'check'], message, input: check })
      }
    }),
  })
}
