import type { ServerResponse } from 'node:http'
import type { z } from 'zod'
import type { Json } from '../../server/response.ts'
import type { Control } from '../control.ts'
import type { ControlledPlatform } from '../controlled-platform.ts'

/** What the control server serves: a simulator's control, where its API is, and what is served beside it. */
export interface ServedApis {
  readonly control: Control
  /** Of the plugin API; null while no port is open. */
  readonly url: () => string | null
  /** Null where no platform is served beside the plugin. */
  readonly platform: ServedPlatform | null
}

/** A platform, and where its API is. */
export interface ServedPlatform {
  readonly platform: ControlledPlatform
  readonly url: () => string | null
}

/** What a route is given. */
export interface Call<Input> extends ServedApis {
  /** The values of `:name` parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** The JSON body, or for GET the query, as the schema describes it. */
  readonly input: Input
  /** Aborts when the client goes away. */
  readonly clientClosed: AbortSignal
}

/** What a route answers with. */
export type Reply =
  /** JSON; undefined for none, which is 204. */
  | { readonly json: Json | undefined }
  /** Text of another type than JSON. */
  | { readonly type: string; readonly text: string }
  /** An answer that does not end. */
  | { readonly stream: Stream }

/** It goes on after the request, when nobody catches what it throws: `fail` cuts it off. */
export type Stream = (response: ServerResponse, fail: (error: unknown) => void) => void

/** One endpoint. */
export interface Route {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** E.g. `/faults/:id`. */
  readonly path: string
  readonly input: z.ZodType
  readonly run: (call: Call<unknown>) => Promise<Reply>
}

type Endpoint = `${Route['method']} /${string}`

/** A route with its input typed by its schema; what `run` returns is the JSON of the answer. */
export function route<Input>(place: Endpoint, input: z.ZodType<Input>, run: (call: Call<Input>) => unknown): Route {
  return rawRoute(place, input, async (call) => ({ json: (await run(call)) as Json | undefined }))
}

/** A route that says itself what goes out. */
export function rawRoute<Input>(
  place: Endpoint,
  input: z.ZodType<Input>,
  run: (call: Call<Input>) => Promise<Reply>,
): Route {
  const [method, path = ''] = place.split(' ')
  return {
    method: method as Route['method'],
    path,
    input,
    run: (call) => run({ ...call, input: call.input as Input }),
  }
}
