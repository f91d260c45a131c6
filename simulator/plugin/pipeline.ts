import type { IncomingMessage } from 'node:http'
import { readBody } from '../server/json-body.ts'
import { receive } from '../server/receive.ts'
import type { HttpResponse } from '../server/response.ts'
import type { Track } from '../server/track.ts'
import type { Service } from './service.ts'
import { authenticate } from './stages/authenticate.ts'
import { route as findRoute, type Route } from './stages/route.ts'
import { save } from './stages/save.ts'
import { validate } from './stages/validate.ts'

/**
 * The request pipeline: receive → authenticate → route → read body → validate → apply → save. The app
 * renders the result. A stage throws an ErrorResponse or Dropped to end the pipeline.
 */
export async function handleRequest(request: IncomingMessage, service: Service, track: Track): Promise<HttpResponse> {
  // Node tracks each promise that is rejected before it is awaited, which takes longer than the rest of an error
  // response.
  await undefined
  track({ stage: 'receive' })
  const received = receive(request, service)
  track({ stage: 'authenticate' })
  const caller = authenticate(received, service)
  track({ stage: 'route' })
  const route = findRoute(received, caller, service)
  track({ stage: 'read body', operation: route.operation })
  // The body of an unauthenticated request is not read.
  caller.requireAuthorization(route.operation === 'add-rule' ? 'body' : undefined)
  const body = changesList(route) ? await readBody(request, caller, service.hooks) : new Uint8Array()
  track({ stage: 'validate' })
  const apply = validate({ request, received, caller, route, body }, service)
  caller.requireAuthorization()
  const applyTracked = () => {
    track({ stage: 'apply' })
    const outcome = apply()
    track({ stage: 'save' })
    return outcome
  }
  const rendering = () => track({ stage: 'render' })
  const applyAndSave = async () => {
    const response = await save(applyTracked(), service)
    rendering()
    return response
  }
  if (!changesList(route)) return applyAndSave()
  const commit = service.commitInGroup()
  return commit?.(applyTracked, rendering) ?? service.hooks.serialise(service.list.mutex, applyAndSave)
}

function changesList({ operation }: Route): boolean {
  return operation === 'add-rule' || operation === 'remove-rule'
}
