import { z } from 'zod'
import type { Exchange } from '../suites/client/exchange.ts'
import type { Outcome } from '../suites/runner/outcome.ts'

export const text = z.string().min(1)
export const count = z.int().min(0)
export const duration = z.number().min(0)
export const nullable = z.string().nullable()
export const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()
export const strings = list(z.string())
export const flag = (description: string) => z.boolean().describe(description)
export const status = z.enum(['passed', 'failed', 'not-applicable', 'out-of-scope', 'blocked', 'error'])
export const utc = z.iso.datetime()

export const described = <Shape extends z.ZodRawShape>(description: string, shape: Shape) =>
  z.object(shape).describe(description)

/** A condition of JSON Schema, which no type has. */
export const when = (condition: object, consequence: object) =>
  Object.fromEntries([
    ['if', { properties: condition }],
    ['then', { properties: consequence }],
  ])

const message = z.object({
  headers: list(z.tuple([z.string(), z.string()])).describe('In order; repeated names stay separate'),
  body: nullable.describe(
    'As text, secrets redacted; null if there is none. Long bodies are cut, with a note at the end',
  ),
})

/** `exchanges` hold the type of the recorder, which this describes. */
const exchange: z.ZodType<Exchange> = z
  .object({
    id: text.describe('Unique within a run, numbered in the order in which the exchanges ended'),
    startedAt: utc,
    durationMs: duration,
    request: message.extend({ method: z.string(), url: z.string() }),
    response: message
      .extend({ status: count, reason: z.exactOptional(z.string()).describe('Absent if it is the standard one') })
      .nullable()
      .describe('Null without a response'),
    failure: nullable.describe('Why there is no response'),
  })
  .meta(when({ response: { type: 'null' } }, { failure: { type: 'string' } }))

const exchangesOmitted = count.describe(
  'How many exchanges were left out: too many of one check or, without `--evidence all`, those that did not decide it',
)

/** Any other status than `passed` and `not-applicable` has a reason. */
const reasoned = when(
  { status: { enum: ['failed', 'out-of-scope', 'blocked', 'error'] } },
  { message: { type: 'string' } },
)

/** `data` holds the type of the failed expectation, which this describes. */
const data: z.ZodType<Outcome['data']> = z
  .object({
    expected: z.exactOptional(z.any()).describe('What was expected, if the code does not say it'),
    actual: z.exactOptional(z.any()),
    difference: z.any().describe('Without anything that changes from run to run'),
    seed: z.exactOptional(z.int()).describe('The seed, if the failure was found at random'),
    after: z.exactOptional(z.string()).describe('What happened right before'),
  })
  .catchall(z.any())
  .nullable()
  .describe('The facts of a failed expectation; null otherwise')

export const check = z
  .object({
    id: text,
    title: z.string(),
    status,
    durationMs: duration,
    code: z
      .string()
      .regex(/^[a-z]+(-[a-z]+)*[.][a-z0-9]+(-[a-z0-9]+)*$/)
      .nullable()
      .describe('The permanent code of a failed expectation; null otherwise'),
    data,
    explainedBy: z
      .exactOptional(strings)
      .describe('The re-enacted fault that explains this failure, or several that each could; absent if none does'),
    message: nullable.describe('The failed expectation, or the reason for not judging; null when passed'),
    expected: nullable.describe('For a failed expectation, as text to compare'),
    actual: nullable.describe('For a failed expectation, as text to compare'),
    curl: nullable.describe(
      'The request with the wrong response as a shell command; null if it alone does not show the failure',
    ),
    script: z
      .exactOptional(z.string())
      .describe(
        'A shell script that exits with 1 if the server has the failure, with 0 if it does not, and with 2 if the server is in another state or requests alone cannot show it. Absent if nothing failed',
      ),
    provenBy: z
      .exactOptional(strings)
      .describe('Some defects that this check fails for, the most telling first; absent if it has not failed'),
    decidedBy: z
      .exactOptional(z.string())
      .describe('Id of the exchange whose response is wrong; absent if nothing failed, or nothing was sent'),
    exchanges: list(exchange),
    exchangesOmitted,
  })
  .meta(reasoned)

export const observation = z
  .object({
    question: text.describe('Id of the question'),
    check: text.describe('Id of the check that observed it'),
    status: status.describe('`passed` for any observed answer; another status says why there is none'),
    clause: z.string(),
    text: z.string().describe('The question as text'),
    answer: nullable.describe('Answer id; null if it was not observed or is not a known one'),
    default: text.describe('The default answer of the simulator'),
    message: nullable.describe('What the answer means, what was observed instead, or why it was not observed'),
    exchanges: list(exchange),
    exchangesOmitted,
  })
  .meta(reasoned)

export type ReportedCheck = z.infer<typeof check>
export type ReportedObservation = z.infer<typeof observation>
