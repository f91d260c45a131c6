import type { IncomingMessage } from 'node:http'
import type { Caller } from '../../server/caller.ts'
import type { Members } from '../../server/json.ts'
import { readMembers, throwIfAny } from '../../server/json-body.ts'
import type { ReceivedRequest } from '../../server/receive.ts'
import type { LoginField } from '../hooks/fields.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { Rule } from '../model/rule.ts'
import type { RuleList } from '../model/rule-list.ts'
import type { Service } from '../service.ts'
import { type AppliedOperation, addRule, listRules, readStatus, removeRule, showMethods } from './apply.ts'
import type { Route } from './route.ts'

/** A request with its body. */
interface CompleteRequest {
  readonly request: IncomingMessage
  readonly received: ReceivedRequest
  readonly caller: Caller
  readonly route: Route
  readonly body: Uint8Array
}

/**
 * Validates body and index (clause 4.2). Returns a function that checks the operation against the list and applies it.
 */
export function validate(complete: CompleteRequest, service: Service): () => AppliedOperation {
  const { route, request } = complete
  switch (route.operation) {
    case 'add-rule': {
      const rule = validRule(complete, service)
      return () => addRule(rule, service)
    }
    case 'remove-rule': {
      const position = validPosition(complete, service)
      return () => removeRule(position, service)
    }
    case 'read-status':
      return () => readStatus(request, service)
    case 'list-rules':
      return () => listRules(service)
    case 'show-methods':
      return () => showMethods(route.allow(), service)
  }
}

function validPosition({ route, body }: CompleteRequest, { hooks }: Service): number {
  throwIfAny(hooks.judgeIndexQuery(route.query) ?? hooks.judgeDeleteBody(body))
  const index = hooks.parseIndex(route.parameter)
  if (index === undefined) throw hooks.invalidIndex()
  return hooks.positionOf(index)
}

function validRule(complete: CompleteRequest, { hooks, list, settings }: Service): Rule {
  if (complete.caller.authorized && hooks.judgesCapacityFirst && hooks.isFull(list.rules(), settings.capacity)) {
    throw hooks.capacityReached()
  }
  return readMembers(complete, hooks, (members) => readRule(members, hooks))
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
