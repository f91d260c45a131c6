import type { Rule } from '../../model/rule.ts'
import type { RuleList } from '../../model/rule-list.ts'
import type { Members } from '../../server/body.ts'
import type { Caller } from '../../server/caller.ts'
import { Refusal } from '../../server/refusal.ts'
import type { LoginField } from '../seams/login.ts'
import type { Seams } from '../seams/seams.ts'
import type { Service } from '../service.ts'
import type { Received } from './receive.ts'
import type { Route } from './route.ts'

/** What is to be done: everything in it has been judged, except against the list itself. */
export type Intent =
  | { readonly operation: 'read-status' | 'list-rules' }
  | { readonly operation: 'show-methods'; readonly allow: readonly string[] }
  | { readonly operation: 'add-rule'; readonly rule: Rule }
  | { readonly operation: 'remove-rule'; readonly position: number }

export interface Question {
  readonly received: Received
  readonly caller: Caller
  readonly route: Route
  readonly body: Uint8Array
}

/** Judges body and index (clause 4.2). */
export function validate(question: Question, service: Service): Intent {
  const { route } = question
  switch (route.operation) {
    case 'add-rule':
      return { operation: route.operation, rule: validRule(question, service) }
    case 'remove-rule':
      return { operation: route.operation, position: validPosition(question, service) }
    case 'show-methods':
      return { operation: route.operation, allow: route.allow }
    default:
      return { operation: route.operation }
  }
}

function validPosition({ route, body }: Question, { seams }: Service): number {
  const refusal = seams.judgeIndexQuery(route.query) ?? seams.judgeDeleteBody(body)
  if (refusal !== undefined) throw refusal
  const index = seams.parseIndex(route.indexText)
  if (index === undefined) throw seams.invalidIndex()
  return seams.positionOf(index)
}

function validRule({ received, caller, body }: Question, { seams, list, capacity }: Service): Rule {
  if (caller.authorized && seams.judgesCapacityFirst && seams.isFull(list.rules(), capacity)) {
    throw seams.capacityReached()
  }
  try {
    const refusal = seams.judgeContentType(received.headers['content-type'])
    if (refusal !== undefined) throw refusal
    return readRule(readMembers(body, seams), seams)
  } catch (error) {
    if (error instanceof Refusal) caller.refuse('body', error)
    throw error
  }
}

function readMembers(body: Uint8Array, seams: Seams): Members {
  const text = seams.stripByteOrderMark(seams.decodeText(body))
  const members = seams.membersOf(seams.parseJson(text))
  const refusal = seams.judgeMemberNames(Object.keys(members))
  if (refusal !== undefined) throw refusal
  return members
}

function readRule(members: Members, seams: Seams): Rule {
  const field = (name: keyof Rule) => seams.fieldOf(members, name)
  return {
    master: readLogin('master', field('master'), seams),
    follower: readLogin('follower', field('follower'), seams),
    mode: seams.readMode(field('mode')),
    value: seams.fitValue(seams.readValue(field('value'))),
    direction: seams.readDirection(field('direction')),
  }
}

function readLogin(field: LoginField, value: unknown, seams: Seams): bigint {
  const numeral = seams.loginNumeral(field, value)
  seams.judgeLoginSpelling(field, numeral)
  return fitLogin(field, numeral.integer, seams)
}

function fitLogin(field: LoginField, login: bigint, seams: Seams): bigint {
  seams.judgeLoginSign(field, login)
  return seams.fitLogin(field, login)
}

/** A rule that never was JSON, as it is kept behind `rules`: judged like that of a client. @throws Refusal */
export function admitRule(rule: Rule, rules: RuleList, seams: Seams): Rule {
  const admitted: Rule = {
    ...rule,
    master: fitLogin('master', rule.master, seams),
    follower: fitLogin('follower', rule.follower, seams),
    value: seams.fitValue(rule.value),
  }
  const refusal = seams.judgeRule(admitted, rules)
  if (refusal !== undefined) throw refusal
  return admitted
}
