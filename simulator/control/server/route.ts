import type { Router, RouterContext } from '@koa/router'
import type { Context } from 'koa'
import { parse } from 'lossless-json'
import { z } from 'zod'
import { exactNumber, writeJson } from '../../server/json.ts'
import { readUpTo } from '../../server/request-body.ts'
import { ErrorResponse, type Json } from '../../server/response.ts'
import { describeIssues, nearestMember } from '../describe-issues.ts'

/** Adds an endpoint to a router. */
export type Route = (router: Router) => void

type Endpoint = `${'GET' | 'PUT' | 'POST' | 'DELETE'} /${string}`

/** The members of the JSON body, or for GET of the query. Unknown ones are rejected, since most are misspelled. */
type Input<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape, z.core.$strict>>

/** `run` returns the JSON of the response, or undefined for 204 or if it has responded itself. */
export function route<Shape extends z.ZodRawShape>(
  endpoint: Endpoint,
  shape: Shape,
  run: (input: Input<Shape>, context: RouterContext) => unknown,
): Route {
  const [method = '', path = ''] = endpoint.split(' ')
  const schema = z.strictObject(shape)
  return (router) =>
    router.register(path, [method], async (context) => {
      const given = method === 'GET' ? { ...context.query } : await bodyIn(context)
      const { data, error } = schema.safeParse(given, { error: nearestMember })
      if (error !== undefined) {
        const hint = 'See the endpoints of the control API in the documentation.'
        throw new Problem(400, describeIssues(error.issues), hint)
      }
      const value = (await run(data as Input<Shape>, context)) as Json | undefined
      if (value !== undefined) sendJson(context, 200, value)
      else if (context.respond !== false && context.body === undefined) context.status = 204
    })
}

export function sendJson(context: Context, status: number, value: Json): void {
  context.status = status
  context.type = 'application/json'
  context.body = Buffer.from(writeJson(value))
}

const bodyLimitBytes = 16 * 1024 * 1024

async function bodyIn({ req }: Context): Promise<unknown> {
  const read = await readUpTo(req, bodyLimitBytes)
  if (read === undefined) throw new Problem(413, 'The body is too large.', `Send at most ${bodyLimitBytes} bytes.`)
  const text = Buffer.concat(read.chunks).toString()
  if (text.trim() === '') return {}
  try {
    return parse(text, null, { parseNumber: exactNumber })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Problem(400, `The body is not valid JSON: ${reason}`, 'Send one JSON object.')
  }
}

/** An error response of the control API, with a hint. */
export class Problem extends ErrorResponse {
  readonly hint: string

  constructor(status: number, message: string, hint: string, headers: ErrorResponse['headers'] = {}) {
    super(status, message, headers)
    this.hint = hint
  }
}

/** The statuses of the simulator's errors; 400 for other errors with a hint. */
const statuses: Readonly<Record<string, number>> = {
  NoSnapshotError: 404,
  UnknownKeyError: 404,
  NotRunningError: 409,
  NotListeningError: 409,
  FaultExistsError: 409,
  CannotStartError: 409,
  UnreadablePlatformFileError: 409,
  PortUnavailableError: 409,
  WaitTimeoutError: 504,
}

/** The error response for an error; undefined if the error is unexpected. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  if (!(error instanceof Error) || !('hint' in error) || typeof error.hint !== 'string') return undefined
  return new Problem(statuses[error.name] ?? 400, error.message, error.hint)
}
