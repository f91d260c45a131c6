import type { IncomingMessage } from 'node:http'
import { throwIfAny } from '../../server/json-body.ts'
import type { HttpResponse, Json } from '../../server/response.ts'
import type { ChangeName } from '../hooks/saving.ts'
import type { RuleList } from '../model/rule-list.ts'
import type { Service } from '../service.ts'
import type { Intent } from './validate.ts'

/** The response, and the change to save before it is sent; undefined if nothing changes. */
export interface AppliedOperation {
  readonly response: HttpResponse
  readonly change: { readonly name: ChangeName; readonly rules: RuleList } | undefined
}

/** Applies the operation to the list. The new list is not visible before it is saved. */
export function apply(intent: Intent, request: IncomingMessage, service: Service): AppliedOperation {
  switch (intent.operation) {
    case 'read-status':
      return unchanged(json(200, status(request, service), service))
    case 'list-rules':
      return unchanged({ status: 200, body: writtenList(service), headers: service.hooks.bodyHeaders() })
    case 'show-methods':
      return unchanged(methods(intent.allow, service))
    case 'add-rule':
      return add(intent, service)
    case 'remove-rule':
      return remove(intent, service)
  }
}

function add({ rule }: Extract<Intent, { operation: 'add-rule' }>, service: Service): AppliedOperation {
  const { hooks, list, capacity } = service
  const full = hooks.isFull(list.rules(), capacity)
  if (full && hooks.judgesCapacityFirst) throw hooks.capacityReached()
  throwIfAny(hooks.judgeRule(rule, list.rules()))
  if (full) throw hooks.capacityReached()
  const { rules, position } = hooks.addRule(list.rules(), rule)
  const index = hooks.reportedIndex(position, rules.length)
  return {
    response: json(hooks.addedStatus, hooks.addedBody(rule, index), service),
    change: { name: 'add-rule', rules },
  }
}

function remove({ position }: Extract<Intent, { operation: 'remove-rule' }>, service: Service): AppliedOperation {
  const { hooks, list } = service
  if (!hooks.holdsPosition(list.rules(), position)) throw hooks.invalidIndex()
  const rules = hooks.removeRule(list.rules(), position)
  return { response: json(200, hooks.removedBody(), service), change: { name: 'remove-rule', rules } }
}

function status(request: IncomingMessage, { hooks, list, plugin, port, configuredPort }: Service): Json {
  return hooks.statusBody({
    plugin: plugin.name,
    version: plugin.version,
    licenseActive: plugin.licenseActive,
    rules: list.rules(),
    // A request through `callback()` may come from another server that listens.
    port: port() ?? request.socket?.localPort ?? configuredPort,
  })
}

function writtenList({ hooks, list }: Service): Uint8Array {
  const write = () => {
    const rules = list.rules().map((rule, position) => hooks.ruleBody(rule, hooks.indexOf(position)))
    return hooks.encodeJson(hooks.listBody(rules))
  }
  return list.encoded((cached) => hooks.writtenList(cached, write))
}

function methods(allowed: readonly string[], service: Service): HttpResponse {
  const { status, allow } = service.hooks.showMethods(allowed)
  const response = json(status, { allow }, service)
  return { ...response, headers: { ...response.headers, Allow: allow } }
}

function json(status: number, value: Json, { hooks }: Service): HttpResponse {
  return { status, body: hooks.encodeJson(value), headers: hooks.bodyHeaders() }
}

function unchanged(response: HttpResponse): AppliedOperation {
  return { response, change: undefined }
}
