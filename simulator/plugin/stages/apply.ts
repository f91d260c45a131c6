import type { IncomingMessage } from 'node:http'
import { throwIfAny } from '../../server/json-body.ts'
import type { HttpResponse, Json } from '../../server/response.ts'
import type { ChangeName } from '../hooks/saving.ts'
import type { Rule } from '../model/rule.ts'
import type { RuleList } from '../model/rule-list.ts'
import type { Service } from '../service.ts'

/** The response, and the change to save before it is sent; undefined if nothing changes. */
export interface AppliedOperation {
  readonly response: HttpResponse
  readonly change: { readonly name: ChangeName; readonly rules: RuleList } | undefined
}

// Each function applies one operation. A new list is not visible before it is saved.

export function addRule(rule: Rule, service: Service): AppliedOperation {
  const { hooks, list, settings } = service
  const full = hooks.isFull(list.rules(), settings.capacity)
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

export function removeRule(position: number, service: Service): AppliedOperation {
  const { hooks, list } = service
  if (!hooks.holdsPosition(list.rules(), position)) throw hooks.invalidIndex()
  const rules = hooks.removeRule(list.rules(), position)
  return { response: json(200, hooks.removedBody(), service), change: { name: 'remove-rule', rules } }
}

export function readStatus({ socket }: IncomingMessage, service: Service): AppliedOperation {
  const { hooks, list, settings, port, configuredPort } = service
  const { name: plugin, version, licenseActive } = settings
  const body = hooks.statusBody({
    plugin,
    version,
    licenseActive,
    rules: list.rules(),
    // A request through `callback()` may come from another listening server.
    port: port() ?? socket?.localPort ?? configuredPort,
  })
  return unchanged(json(200, body, service))
}

export function listRules({ hooks, list }: Service): AppliedOperation {
  const write = () => {
    const rules = list.rules().map((rule, position) => hooks.ruleBody(rule, hooks.indexOf(position)))
    return hooks.encodeJson(hooks.listBody(rules))
  }
  const body = list.encoded((cached) => hooks.writtenList(cached, write))
  return unchanged({ status: 200, body, headers: hooks.bodyHeaders() })
}

export function showMethods(allowed: readonly string[], service: Service): AppliedOperation {
  const { status, allow } = service.hooks.showMethods(allowed)
  const response = json(status, { allow }, service)
  return unchanged({ ...response, headers: { ...response.headers, Allow: allow } })
}

function json(status: number, value: Json, { hooks }: Service): HttpResponse {
  return { status, body: hooks.encodeJson(value), headers: hooks.bodyHeaders() }
}

function unchanged(response: HttpResponse): AppliedOperation {
  return { response, change: undefined }
}
