import { z } from 'zod'
import { levels } from '../../spec/requirement.ts'

const text = z.string().min(1)
const count = z.int().min(0)
const ids = z.array(text).readonly()
const answers = z.record(z.string(), z.string()).describe('Question to answer; the default answers are left out')

const law = z
  .union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)])
  .describe('The violated law: 1 no false alarm, 2 no blind spot, 3 no unproven check, 4 a twin is exact')

const violation = z.object({
  law,
  kind: z
    .enum(['false-alarm', 'blind-spot', 'stale-excuse', 'unproven', 'wrong-observation', 'error'])
    .describe(
      'A check that fails without a defect; a requirement that does not catch a defect which breaks it; a mask (`maskedBy`) of a defect that is caught anyway; a requirement that no defect makes fail; an observation of another answer than the configured one; a check that ends in an internal error',
    ),
  sentence: text.describe('The violation as a sentence'),
  defect: z.string().nullable().describe('Id of the defect; null where none was involved'),
  requirement: z.string().nullable().describe('Id of the requirement; null where it is not about one'),
  check: z.string().nullable().describe('Id of the check; null where it is not about one'),
  answers: answers.describe('The smallest known set of answers, without the default ones, with which it happens'),
})

const detection = z.object({
  scope: text.describe('Id of the scope'),
  summary: text.describe('The command that starts such a run'),
  caught: ids.describe('The defects that it catches'),
  beyond: z
    .array(z.object({ defect: text, reason: text }))
    .readonly()
    .describe('Defects whose checks are all out of scope, with the reason'),
  missed: ids.describe('Defects for which a check that catches them is in scope but passed'),
})

const combinedRow = z.object({
  profile: count.describe('Position in `profiles`'),
  killedBy: ids.describe('The requirements that failed'),
  missedBy: ids.describe('The requirements that should have failed but passed'),
  hiddenFrom: ids.describe('The requirements that cannot catch it under these answers'),
})

const defectRow = z.object({
  id: text.describe('Permanent name of the defect'),
  summary: text.describe('How such a server is wrong'),
  breaks: ids.describe('The requirements that it breaks'),
  verdict: z
    .enum(['killed-by-all', 'killed-by-some', 'killed-by-others', 'survived', 'hidden'])
    .describe('The verdict on the defect under the default answers'),
  killedBy: ids.describe('The requirements that failed'),
  killedAlone: ids.describe(
    'Those that failed only when judged alone: the defect shows only in some states of the server, and earlier checks had changed the state',
  ),
  catchingChecks: ids.describe('The failed checks of the requirements that it breaks, in the complete run or alone'),
  failures: ids.describe(
    'Every failed check, also under other answers, with its failure code and the circumstances: what the check had done, what had changed, and the deciding request with its status, as in `CT-453:request.accepted:POST without a direction | POST /api/rules 201`',
  ),
  blocked: ids.describe('The requirements that could not be judged because of it'),
  missedBy: ids.describe('The requirements that should have failed but passed'),
  hiddenFrom: ids.describe('The requirements that cannot catch it under the default answers'),
  combined: combinedRow.nullable().describe('The same defect under random answers; null if not tested'),
})

const requirementColumn = z.object({
  id: text.describe('Permanent name of the requirement'),
  clause: text.describe('Clause of the specification'),
  level: z.enum(levels),
  statement: text.describe('What a server must do'),
  brokenBy: ids.describe('The defects that declare that they break it'),
  caught: ids.describe('Those that it caught'),
  alsoRed: ids.describe('The defects that made it fail although they do not declare it'),
  falseAlarms: count.describe('The number of profiles in which it failed or was not judged without a defect'),
  unproven: z.boolean().describe('Whether no defect that declares it made it fail'),
})

const apiMatrix = z.object({
  name: text.describe('Name of the API'),
  defects: z.array(defectRow).readonly(),
  requirements: z.array(requirementColumn).readonly(),
  profiles: z.array(answers).readonly().describe('The random profiles'),
  detection: z.array(detection).readonly().describe("What users' runs catch, by scope; empty if not tested"),
})

/** `selftest.schema.json` follows from it. */
export const selftestSchema = z.object({
  schema: z.literal('copytrade-tck/selftest@1'),
  kit: z.object({ name: text, version: text, requirementsVersion: text }),
  seed: count.describe('The same seed runs the same again'),
  startedAt: z.iso.datetime().describe('UTC'),
  durationMs: z.number().min(0),
  scope: z.object({
    only: ids.describe('Globs for ids of defects and requirements; empty for all'),
    profiles: count.describe('The number of random profiles'),
    combined: count.describe('The number of defects that were also tried under random profiles'),
    quick: z.boolean().describe('Whether each defect was judged only by the requirements that it breaks'),
  }),
  passed: z.boolean().describe('Whether every law holds'),
  findings: z.array(violation).readonly(),
  apis: z
    .array(apiMatrix)
    .readonly()
    .describe('A kill matrix for each API: defect × requirement. Pairs that are not listed passed'),
})

export type Selftest = z.infer<typeof selftestSchema>
export type Law = z.infer<typeof law>
export type Violation = z.infer<typeof violation>
export type ApiMatrix = z.infer<typeof apiMatrix>
/** The defects that a run with a limited scope catches under the default answers. */
export type Detection = z.infer<typeof detection>
export type DefectRow = z.infer<typeof defectRow>
export type Kill = DefectRow['verdict']
export type RequirementColumn = z.infer<typeof requirementColumn>
