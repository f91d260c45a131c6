import type { IncomingMessage } from 'node:http'
import type { Members } from '../../server/json.ts'
import { type CompleteRequest, readMembers, throwIfAny } from '../../server/request-body.ts'
import type { HttpResponse, Json } from '../../server/response.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { LoginField } from '../hooks/login.ts'
import type { StatusFacts } from '../hooks/responses.ts'
import type { Rule } from '../model/rule.ts'
import type { RuleList } from '../model/rule-list.ts'
import type { AppliedOperation, Service } from '../service.ts'
import type { Route } from './route.ts'

interface RoutedRequest extends CompleteRequest {
  readonly request: IncomingMessage
  readonly route: Route
}

/**
 * Validates body and index (clause 4.2). Returns a function that checks the operation against the list and applies it.
 */
export function validate(complete: RoutedRequest, service: Service): () => AppliedOperation {
  const { route, request, body } = complete
  const { hooks, list, settings } = service
  switch (route.operation) {
    case 'add-rule': {
      const isFull = () => hooks.isFull(list.rules(), settings.capacity)
      if (complete.caller.authorized && hooks.judgesCapacityFirst && isFull()) throw hooks.capacityReached()
      const rule = readMembers(complete, hooks, (members) => readRule(members, hooks))
      return () => addRule(rule, service)
    }
    case 'remove-rule': {
      throwIfAny(hooks.judgeIndexQuery(route.query) ?? hooks.judgeDeleteBody(body))
      const index = hooks.parseIndex(route.parameter)
      if (index === undefined) throw hooks.invalidIndex()
      const position = hooks.positionOf(index)
      return () => removeRule(position, service)
    }
    case 'read-status':
      return () => ({ response: json(200, hooks.statusBody(statusFacts(request, service)), service) })
    case 'list-rules':
      return () => {
        const encoded = list.encoded((cached) => hooks.writtenList(cached, () => writeList(service)))
        return { response: { status: 200, body: encoded, headers: hooks.bodyHeaders() } }
      }
    case 'show-methods': {
      const { status, allow } = hooks.showMethods(route.allow())
      return () => ({ response: json(status, { allow }, service, { Allow: allow }) })
    }
  }
}

function readRule(members: Members, hooks: Hooks): Rule {
  const field = (name: keyof Rule) => hooks.fieldOf(members, name)
  return {
    master: readLogin('master', field('master'), hooks),
    follower: readLogin('follower', field('follower'), hooks),
    mode: hooks.readMode(field('mode')),
    value: hooks.fitValue(hooks.readValue(field('value'))),
    direction: hooks.readDirection(field('direction')),
  }
}

function readLogin(field: LoginField, value: unknown, hooks: Hooks): bigint {
  const numeral = hooks.loginNumeral(field, value)
  hooks.judgeLoginSpelling(field, numeral)
  return fitLogin(field, numeral.integer, hooks)
}

function fitLogin(field: LoginField, login: bigint, hooks: Hooks): bigint {
  hooks.judgeLoginSign(field, login)
  return hooks.fitLogin(field, login)
}

/** Validates a rule that did not come as JSON in the same way as a client's rule. @throws ErrorResponse */
export function admitRule(rule: Rule, rules: RuleList, hooks: Hooks): Rule {
  const admitted: Rule = {
    ...rule,
    master: fitLogin('master', rule.master, hooks),
    follower: fitLogin('follower', rule.follower, hooks),
    value: hooks.fitValue(rule.value),
  }
  throwIfAny(hooks.judgeRule(admitted, rules))
  return admitted
}

// A new list is not visible before it is saved.

function addRule(rule: Rule, service: Service): AppliedOperation {
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

function removeRule(position: number, service: Service): AppliedOperation {
  const { hooks, list } = service
  if (!hooks.holdsPosition(list.rules(), position)) throw hooks.invalidIndex()
  const rules = hooks.removeRule(list.rules(), position)
  return { response: json(200, hooks.removedBody(), service), change: { name: 'remove-rule', rules } }
}

function statusFacts({ socket }: IncomingMessage, service: Service): StatusFacts {
  const { list, settings, port, configuredPort } = service
  const { name: plugin, version, licenseActive } = settings
  // A request through `callback()` may come from another listening server.
  return { plugin, version, licenseActive, rules: list.rules(), port: port() ?? socket?.localPort ?? configuredPort }
}

function writeList({ hooks, list }: Service): Uint8Array {
  const rules = list.rules().map((rule, position) => hooks.ruleBody(rule, hooks.indexOf(position)))
  return hooks.encodeJson(hooks.listBody(rules))
}

function json(status: number, value: Json, { hooks }: Service, headers: HttpResponse['headers'] = {}): HttpResponse {
  return { status, body: hooks.encodeJson(value), headers: { ...hooks.bodyHeaders(), ...headers } }
}
