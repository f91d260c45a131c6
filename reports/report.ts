import { z } from 'zod'
import { levels } from '../spec/requirement.ts'
import {
  check,
  count,
  described,
  duration,
  flag,
  list,
  nullable,
  observation,
  status,
  strings,
  text,
  utc,
  when,
} from './reported-check.ts'

export type { ReportedCheck, ReportedObservation } from './reported-check.ts'

const risk = z.enum(['read', 'write', 'exclusive'])
const connection = described('How a foreign server was reached; absent if the kit started the server', {
  insecure: flag('Whether certificates were accepted without verification'),
  proxy: nullable.describe('The forward proxy, without user and password; null for none'),
})

const target = z.object({
  kind: z
    .enum(['simulator', 'url', 'exec', 'container'])
    .describe('The embedded simulator, an address, or a command or a container that the kit started'),
  url: z.string().describe('Base URL'),
  plugin: z
    .object({ name: z.string(), version: z.string() })
    .nullable()
    .describe('Name and version from the status of the plugin; null if it reports none'),
  capacity: z.exactOptional(z.int().min(1)).describe('The stated capacity; absent if it was not stated'),
  connection: z.exactOptional(connection),
})

const scope = z.object({
  risk: risk.describe('The most that was done to the target'),
  capabilities: strings.describe('What the driver of the target can do beyond answering requests'),
  only: strings.describe('Globs of the wanted checks; empty for all'),
  skip: strings.describe('Globs of the checks that were left out'),
  strict: flag('Whether levels below `required` decided the verdict too'),
  complete: flag('Whether a requirement out of scope made the verdict incomplete'),
  knownFaults: z
    .exactOptional(z.object({ noticeable: count, total: count }))
    .describe('How many faults of the catalogue the judged checks can notice'),
})

const diagnosis = described('A fault of the catalogue that may explain failures. It does not affect the verdict', {
  defects: z.array(z.string()).min(1).readonly().describe('The id of the defect'),
  summaries: strings.describe('What it does, as a sentence'),
  reenacted: flag(
    'Whether a simulator fails in the same way with all re-enacted faults, but not without this one. Otherwise it is only recorded to fail the same checks',
  ),
  confirmed: flag(
    'Whether it is re-enacted, explains at least two failures that do not depend on the timing, and no other result contradicts it. A re-enacted fault that is not confirmed is possible',
  ),
  explains: strings.describe(
    'Ids of the failed checks that fail in the same way with this fault; if not re-enacted, in any way',
  ),
  unexplained: strings.describe('Ids of the failed checks that neither this nor another re-enacted fault explains'),
  alternatives: strings.describe('Defects that have the same effect'),
  besides: strings.describe(
    'Ids of the checks that fail with all re-enacted faults, but passed or failed in another way in the run',
  ),
  passing: count.describe('How many of the passed checks also pass with all re-enacted faults'),
  score: z.number().min(0).max(1).describe('The share of the failures that it explains'),
})

const responseTime = z.object({
  operation: z.string().describe('E.g. `DELETE /api/rules/{index}`'),
  responses: z.int().min(1),
  medianMs: duration,
  p95Ms: duration.describe('95 % took at most this long'),
  maxMs: duration.describe('The longest'),
})

const accounts = described('Accounts that the run created. They cannot be removed through the API', {
  group: nullable.describe('Null without a group, when no account is created'),
  most: count.describe('The announced maximum'),
  created: strings.describe('Names of the accounts whose creation was acknowledged'),
  uncertain: strings.describe('Names of the accounts whose creation got no response, or an ambiguous one'),
})

const platform = described('A platform API under judgement, besides a plugin or alone', {
  kind: z.enum(['simulator', 'url']),
  url: z.string().describe('Base URL, without /v1'),
  risk: risk.describe('The most that was done to the platform'),
  connection: z.exactOptional(connection),
  alone: flag('Whether no plugin was judged. If so, `target` is the platform, and there is no list'),
  accounts: accounts.nullable().describe('Null if they were not counted, since the platform is disposable'),
})

const requirement = z.object({
  id: text,
  clause: text,
  level: z.enum(levels),
  statement: text.describe('What a server must do'),
  consequence: z.string().describe('What goes wrong for a trader or a client otherwise'),
  status: z.enum([...status.options, 'partly-judged']).describe('The worst status of its checks'),
  reason: nullable.describe('Why no check of it was in the run; null if at least one was'),
  checks: list(check),
})

const deviation = z.object({
  kind: z
    .enum(['new-failure', 'stale', 'changed', 'expired', 'unknown-check'])
    .describe(
      'A failure that is not listed, a listed check that passes, a listed check that fails in another way, an expired entry, an entry with an unknown check',
    ),
  check: z.string().describe('Id of the check'),
  message: z.string().describe('The rest of a sentence that begins with the id of the check'),
})

const knownFailure = z.object({
  check: z.string().describe('Id of the check'),
  reason: text.describe('Why it is accepted'),
  owner: nullable.describe('Who is responsible for it; null if not stated'),
  expires: z.iso.date().nullable().describe('The last day on which it is accepted, UTC; null if it never expires'),
})

const gate = described('The comparison with a baseline. It affects the exit code, not the verdict', {
  baseline: z.string().describe('Path of the baseline, as it was given'),
  findings: list(deviation).describe('The deviations, which fail the run'),
  excused: list(knownFailure).describe('Failures that are known'),
})

const driftedAnswer = z.object({
  ...{ question: z.string(), check: z.string(), clause: z.string(), text: z.string() },
  expected: z.string().describe('Id of the answer that the profile gives'),
  answer: nullable.describe('Id of the observed answer; null if it is not a known one'),
  message: nullable,
})

const drift = described(
  'The comparison of the answers with those of a profile. It affects only the exit code, and only with `strict`',
  {
    profile: z.string().describe('Path of the profile, as it was given'),
    agreeing: count.describe("The number of answers that equal the profile's"),
    unanswered: strings.describe('Questions with an answer in the profile but not in the run'),
    findings: list(driftedAnswer),
  },
)

const harm = described('Rule counts and SHA-256 of the list before the first and after the last request', {
  ...{ rulesBefore: count, hashBefore: z.string() },
  rulesAfter: count.nullable().describe('Null if the list could not be read after the run'),
  hashAfter: nullable,
  restored: z.boolean(),
  differences: strings.describe('What differs and how to fix it, one line each; empty when restored'),
  interference: strings.describe('Concurrent edits of the list during the run, one line each'),
  unreachable: flag('Whether the target did not respond at the end of the run'),
}).meta(when({ restored: { const: true } }, { differences: { maxItems: 0 } }))

const counts = z.strictObject({
  ...{ passed: count, failed: count, error: count, blocked: count },
  ...{ 'partly-judged': count, 'out-of-scope': count, 'not-applicable': count },
})

const verdict = z
  .enum(['conformant', 'partial', 'non-conformant', 'incomplete'])
  .describe('`partial`: no failure counts, but not every `required` requirement was fully judged')

export const reportSchema = z.object({
  schema: z.literal('copytrade-tck/report@1'),
  kit: z.object({ name: text, version: text, requirementsVersion: text }),
  target,
  scope,
  seed: z.int().describe('Seed of everything random in the run'),
  startedAt: utc,
  durationMs: duration,
  verdict,
  explanation: text.describe('One sentence that explains the verdict'),
  diagnosis: list(diagnosis).describe('The re-enacted faults, then those nearest to the unexplained failures'),
  summary: z
    .strictObject({ required: counts, expected: counts, robustness: counts })
    .describe('Level to status to the number of requirements'),
  requirements: list(requirement),
  observations: list(observation).describe('What was observed where the specification is silent. No answer is wrong'),
  responseTimes: list(responseTime).describe('Of all successful requests of the run, by documented operation'),
  harm: harm.nullable().describe('What the run did to the list; null if no list could be read'),
  platform: platform.nullable().describe('The platform that was judged; null if none was'),
  gate: gate.nullable().describe('The comparison with a baseline of known failures; null without one'),
  drift: drift.nullable().describe('How the answers compare with those of a profile; null without one'),
})

/** The content of `report.json`. */
export type Report = z.infer<typeof reportSchema>
export type Verdict = z.infer<typeof verdict>
export type Diagnosis = z.infer<typeof diagnosis>
export type Connection = z.infer<typeof connection>
export type AccountsRecord = z.infer<typeof accounts>
export type ReportedRequirement = z.infer<typeof requirement>
export type RequirementStatus = ReportedRequirement['status']
export type ResponseTime = z.infer<typeof responseTime>
export type GateRecord = z.infer<typeof gate>
export type BaselineDeviation = z.infer<typeof deviation>
export type KnownFailureRecord = z.infer<typeof knownFailure>
export type DriftRecord = z.infer<typeof drift>
export type DriftedAnswer = z.infer<typeof driftedAnswer>
export type Harm = z.infer<typeof harm>
