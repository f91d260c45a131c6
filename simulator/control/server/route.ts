import type { ServerResponse } from 'node:http'
import { z } from 'zod'
import type { PlatformSimulator } from '../../platform/index.ts'
import type { Json } from '../../server/response.ts'
import type { Control } from '../control.ts'

/** What the control server serves. */
export interface ServedApis {
  readonly control: Control
  /** The URL of the plugin API; null while no port is open. */
  readonly url: () => string | null
  /** Null if no platform is served next to the plugin. */
  readonly platform: ServedPlatform | null
}

/** A platform, and the URL of its API. */
export interface ServedPlatform {
  readonly platform: PlatformSimulator
  readonly url: () => string | null
}

/** The input of a route. */
export interface Call<Input> extends ServedApis {
  /** The values of `:name` parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** The JSON body, or for GET the query, as the schema describes it. */
  readonly input: Input
  /** Aborts when the client disconnects. */
  readonly clientClosed: AbortSignal
}

export type Reply =
  /** JSON; undefined for 204. */
  | { readonly json: Json | undefined }
  /** Text of another type than JSON: a Content-Type, or the ending of a file name, as for Koa. */
  | { readonly type: string; readonly text: string }
  /** A response that does not end. */
  | { readonly stream: Stream }

/** Keeps running after the route has returned, so it reports errors with `fail`, which disconnects the client. */
export type Stream = (response: ServerResponse, fail: (error: unknown) => void) => void

export interface Route {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** E.g. `/faults/:id`. */
  readonly path: string
  readonly input: z.ZodType
  readonly run: (call: Call<unknown>) => Promise<Reply>
}

type Endpoint = `${Route['method']} /${string}`

/** The members of an input. Unknown ones are rejected, since most are misspelled. */
type Input<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape, z.core.$strict>>

/** A route with these input members; `run` returns the JSON of the response. */
export function route<Shape extends z.ZodRawShape>(
  endpoint: Endpoint,
  shape: Shape,
  run: (call: Call<Input<Shape>>) => unknown,
): Route {
  return rawRoute(endpoint, shape, async (call) => ({ json: (await run(call)) as Json | undefined }))
}

/** A route that returns any kind of response. */
export function rawRoute<Shape extends z.ZodRawShape>(
  endpoint: Endpoint,
  shape: Shape,
  run: (call: Call<Input<Shape>>) => Promise<Reply>,
): Route {
  const [method, path = ''] = endpoint.split(' ')
  return {
    method: method as Route['method'],
    path,
    input: z.strictObject(shape),
    run: (call) => run({ ...call, input: call.input as Input<Shape> }),
  }
}
