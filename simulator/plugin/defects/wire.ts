import type { IncomingMessage } from 'node:http'
import { textOf } from '../../defect-parts/wire.ts'
import type { Json } from '../../server/response.ts'
import type { Override } from '../hooks/hooks.ts'

export {
  asks,
  changesResponse,
  type Members,
  textOf,
  withMembers,
  withoutMember,
  withText,
} from '../../defect-parts/wire.ts'

/** A server whose error body is another where `applies` says so. */
export function errorsBecome(
  applies: (status: number, request: IncomingMessage) => boolean,
  become: (message: string, status: number) => Json,
): Override {
  return ({ encodeJson }) => ({
    finish: (response, request) => {
      if (response.status < 400 || !applies(response.status, request)) return response
      const { error } = JSON.parse(textOf(response)) as { error: string }
      return { ...response, body: encodeJson(become(error, response.status)) }
    },
  })
}
