import { Document, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml'
import { z } from 'zod'
import type { Report } from '../../reports/report.ts'
import { visibleLine } from '../../reports/visible.ts'
import { InvalidDocumentError } from '../../simulator/documents/parse-document.ts'
import { readDocument } from '../../simulator/documents/read-document.ts'
import { UsageError } from '../command-error.ts'
import { readTextFile } from '../files.ts'
import { countingFailures } from './diff.ts'
import { signatureOf } from './signature.ts'

export const baselineSchema = 'copytrade-tck/baseline@2'

/** Whether every entry must have a reason. A file that is still being filled in may lack some. */
export type Reasons = 'demanded' | 'open'

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
    /** How it fails: see `signatureOf`. */
    signature: filled,
    owner: filled.optional(),
    expires: day.optional(),
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

/** A file of known failures, as `--baseline` reads it and `copytrade-tck baseline` writes it. */
export type Baseline = z.infer<ReturnType<typeof documentSchema>>
export type KnownFailure = Baseline['knownFailures'][number]

/** Reads known failures, YAML or JSON. @throws {UsageError} with the line and the member that is invalid */
export function readBaseline(path: string, reasons: Reasons = 'demanded'): Baseline {
  const hint = 'Write one with `copytrade-tck baseline <report.json>`.'
  return parseBaseline(readTextFile(path, { name: 'The baseline', hint }), path, reasons)
}

/** @throws {UsageError} when the text is invalid, with the line and the member */
export function parseBaseline(text: string, path: string, reasons: Reasons): Baseline {
  try {
    return readDocument(documentSchema(reasons), { text, name: path })
  } catch (cause) {
    if (!(cause instanceof InvalidDocumentError)) throw cause
    const hint = 'Correct the file, or write it again with `copytrade-tck baseline <report.json> --out <file> --force`.'
    throw new UsageError(cause.message, hint, { cause })
  }
}

export function baselineJson(baseline: Baseline): string {
  return `${JSON.stringify(baseline, null, 2)}\n`
}

/** YAML, with comments that say how each check failed: in the report, or before in the `earlier` file. */
export function baselineYaml(baseline: Baseline, report: Report, earlier = ''): string {
  const document = new Document(baseline)
  document.commentBefore = [
    ' Known failures, for copytrade-tck run --baseline. Every entry needs a reason; it may also have',
    ' an owner ("owner: name") and a last day ("expires: 2026-12-31").',
  ].join('\n')
  const { items } = document.get('knownFailures') as YAMLSeq<YAMLMap>
  const comments = commentsIn(earlier)
  for (const [place, item] of items.entries()) {
    const id = String(item.get('check'))
    item.commentBefore = comment(id, report, comments.get(id) ?? null)
    item.spaceBefore = place > 0
  }
  return document.toString({ lineWidth: 0 })
}

/** The comments of the entries in a file. */
function commentsIn(text: string): ReadonlyMap<string, string | null | undefined> {
  const list = parseDocument(text).get('knownFailures')
  if (!isSeq<YAMLMap>(list)) return new Map()
  // A comment before the first entry is that of the list.
  return new Map(list.items.map((item, at) => [String(item.get('check')), (at === 0 ? list : item).commentBefore]))
}

function comment(id: string, report: Report, earlier: string | null): string {
  const requirement = report.requirements.find(({ checks }) => checks.some((check) => check.id === id))
  const check = requirement?.checks.find((one) => one.id === id)
  if (earlier !== null && check?.status !== 'failed') return earlier
  if (requirement === undefined || check === undefined) return ''
  const about = `${requirement.id}, clause ${requirement.clause}, ${requirement.level}`
  const texts = [check.title, about, ...(check.message === null ? [] : [check.message])]
  return texts.map((text) => ` ${visibleLine(text)}`).join('\n')
}

/**
 * The failures of a report, with empty reasons, and earlier entries of the known checks that fail as before or were not
 * judged.
 */
export function baselineOf(report: Report, earlier: Baseline | null, knownChecks: readonly string[]): Baseline {
  const known = new Map((earlier?.knownFailures ?? []).map((entry) => [entry.check, entry]))
  const failing = new Set(countingFailures(report))
  const entries = report.requirements.flatMap(({ checks }) =>
    checks.flatMap((check): KnownFailure[] => {
      const entry = known.get(check.id)
      const signature = signatureOf(check)
      const isNew =
        entry === undefined ? failing.has(check) : check.status === 'failed' && entry.signature !== signature
      if (isNew) return [{ check: check.id, reason: '', signature }]
      return entry !== undefined && check.status !== 'passed' ? [entry] : []
    }),
  )
  // The report of a run with `--only`, or without a platform, lacks checks.
  const reported = new Set(report.requirements.flatMap(({ checks }) => checks.map(({ id }) => id)))
  const others = [...known.values()].filter(({ check }) => !reported.has(check) && knownChecks.includes(check))
  return { schema: baselineSchema, knownFailures: [...entries, ...others] }
}
