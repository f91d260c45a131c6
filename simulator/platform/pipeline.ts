import type { IncomingMessage } from 'node:http'
import { receive } from '../server/receive.ts'
import { readBody } from '../server/request-body.ts'
import type { HttpResponse } from '../server/response.ts'
import { saveOrReject } from '../server/save.ts'
import type { PlatformService } from './service.ts'
import { authenticate, verify } from './stages/authenticate.ts'
import { type AppliedOperation, validate } from './stages/operations.ts'
import { route as findRoute } from './stages/route.ts'

/**
 * The request pipeline: receive → authenticate → route → read body → verify → validate → apply → save.
 * The app renders the result. A stage throws an ErrorResponse or Dropped to end the pipeline.
 */
export async function handleRequest(request: IncomingMessage, service: PlatformService): Promise<HttpResponse> {
  const received = receive(request, service)
  const caller = authenticate(received, request, service)
  const route = findRoute(received, caller, service)
  // The body of an unauthenticated request is not read. The signature covers the body of other requests.
  caller.requireAuthorization(route.operation === 'create-account' ? 'body' : undefined)
  const body = await readBody(request, caller, service.hooks)
  verify({ received, caller, body }, service)
  const apply = validate({ received, caller, route, body }, service)
  caller.requireAuthorization()
  const applyAndSave = async () => save(apply(), service)
  const changes = route.operation === 'create-account'
  return changes ? service.hooks.serialise(service.records.mutex, applyAndSave) : applyAndSave()
}

/** Saves the accounts before they become visible. If saving fails, no client has seen the new account. */
async function save({ response, accounts }: AppliedOperation, service: PlatformService): Promise<HttpResponse> {
  if (accounts === undefined) return response
  const { hooks, records, write } = service
  const next = { ...records.current(), accounts }
  await saveOrReject(service, () => hooks.save(() => write(next)))
  records.publish(next)
  return response
}
