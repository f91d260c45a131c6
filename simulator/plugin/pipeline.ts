import type { IncomingMessage } from 'node:http'
import type { Track } from '../server/api.ts'
import { receive } from '../server/receive.ts'
import { readBody } from '../server/request-body.ts'
import type { HttpResponse } from '../server/response.ts'
import { saveOrReject } from '../server/save.ts'
import type { AppliedOperation, Service } from './service.ts'
import { authenticate } from './stages/authenticate.ts'
import { validate } from './stages/operations.ts'
import { route as findRoute, type Route } from './stages/route.ts'

/**
 * The request pipeline: receive → authenticate → route → read body → validate → apply → save. The app
 * renders the result. A stage throws an ErrorResponse or Dropped to end the pipeline.
 */
export async function handleRequest(request: IncomingMessage, service: Service, track?: Track): Promise<HttpResponse> {
  // Node tracks each promise that is rejected before it is awaited, which takes longer than the rest of an error
  // response.
  await undefined
  track?.onStage('receive')
  const received = receive(request, service)
  track?.onStage('authenticate')
  const caller = authenticate(received, service)
  track?.onStage('route')
  const route = findRoute(received, caller, service)
  if (track !== undefined) track.operation = route.operation
  track?.onStage('read body')
  // The body of an unauthenticated request is not read.
  caller.requireAuthorization(route.operation === 'add-rule' ? 'body' : undefined)
  const body = changesList(route) ? await readBody(request, caller, service.hooks) : new Uint8Array()
  track?.onStage('validate')
  const apply = validate({ request, received, caller, route, body }, service)
  caller.requireAuthorization()
  if (!changesList(route)) return applyAndSave(apply, service, track)
  const commit = service.commitInGroup()
  if (commit !== undefined) return commit(apply, track)
  return service.hooks.serialise(service.list.mutex, () => applyAndSave(apply, service, track))
}

async function applyAndSave(apply: () => AppliedOperation, service: Service, track?: Track): Promise<HttpResponse> {
  track?.onStage('apply')
  const { response, change } = apply()
  track?.onStage('save')
  if (change !== undefined) await save(change, service)
  track?.onStage('render')
  return response
}

/**
 * Saves the changed list before it becomes visible (clause 4.3 rule 1). If saving fails, no client has
 * seen the change, and nothing has to be undone.
 */
async function save({ name, rules }: NonNullable<AppliedOperation['change']>, service: Service): Promise<void> {
  const { hooks, list, writeFile } = service
  await saveOrReject(service, () => hooks.save(() => writeFile(hooks.encodeFile(rules)), name))
  list.publish(rules)
}

function changesList({ operation }: Route): boolean {
  return operation === 'add-rule' || operation === 'remove-rule'
}
