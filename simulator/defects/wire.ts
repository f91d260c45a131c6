import type { IncomingMessage } from 'node:http'
import type { Override } from '../http/seams/seams.ts'
import type { Answer, Json } from '../server/answer.ts'

/** The members of a JSON object. */
export type Members = { readonly [member: string]: Json }

/** The JSON object with some members replaced or added. */
export function withMembers(json: Json, changes: Members): Json {
  return { ...(json as Members), ...changes }
}

/** The JSON object without one member. */
export function withoutMember(json: Json, name: string): Json {
  return Object.fromEntries(Object.entries(json as Members).filter(([member]) => member !== name))
}

/** The answer with other bytes as its body. */
export function withText(answer: Answer, text: string, type = 'text/plain'): Answer {
  return { ...answer, body: Buffer.from(text), headers: { ...answer.headers, 'Content-Type': type } }
}

/** The text of the body; empty where there is none. */
export function textOf({ body = new Uint8Array() }: Answer): string {
  return Buffer.from(body).toString()
}

/** Whether the request line begins like this, e.g. `GET /api/status`. */
export function asks({ method, url }: IncomingMessage, line: string): boolean {
  return `${method} ${url}`.startsWith(line)
}

/** A server whose error body is another where `applies` says so. */
export function errorsBecome(
  applies: (status: number, request: IncomingMessage) => boolean,
  become: (message: string, status: number) => Json,
): Override {
  return ({ encodeJson }) => ({
    finish: (answer, request) => {
      if (answer.status < 400 || !applies(answer.status, request)) return answer
      const { error } = JSON.parse(textOf(answer)) as { error: string }
      return { ...answer, body: encodeJson(become(error, answer.status)) }
    },
  })
}
