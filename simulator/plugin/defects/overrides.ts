import { isLosslessNumber, LosslessNumber } from 'lossless-json'
import { mutationsOf } from '../../defect-parts/mutations.ts'
import { type Applies, is, textOf } from '../../defect-parts/wire.ts'
import type { Members } from '../../server/json.ts'
import type { HttpResponse, Json } from '../../server/response.ts'
import type { Credentials } from '../hooks/authentication.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { Rule } from '../model/rule.ts'
import { arrayOf, type RuleList } from '../model/rule-list.ts'
import type { Known, Mutation } from './known.ts'

/** Mutations of any hook. */
export const { instead, result, argument, members, responds, on } = mutationsOf<Hooks, Known>()

/** Servers that read, store, remove or save something else than the correct server. */
export const readsIndex = argument('parseIndex')
export const storesValue = result('fitValue')
export const stores = argument('addRule', 1)
export const addsTo = argument('addRule')
export const holds = result('holdsPosition')
export const removes = argument('removeRule', 1)
export const leaves = result('removeRule')
export const files = argument('encodeFile')
export const loads = result('decodeFile')

/** Servers with other members in a response. */
export const listsRule = members('ruleBody')
export const returnsList = members('listBody')
export const returnsStatus = members('statusBody')
export const returnsAdded = members('addedBody')
export const returnsRemoved = members('removedBody')
export const reportsIndex = result('reportedIndex')

export type Fields = keyof Rule | readonly (keyof Rule)[]

/** A server that reads these fields as if another value had been sent. */
export function reads(fields: Fields, change: (value: unknown, members: Members, known: Known) => unknown): Mutation {
  return instead('fieldOf', ({ fieldOf, known }, members, field) => {
    const value = fieldOf(members, field)
    return [fields].flat().includes(field) ? change(value, members, known) : value
  })
}

/** A server that reads the value of a rule, or other fields, as if another number had been sent. */
export function readsNumeral(change: (text: string) => string, fields: Fields = 'value'): Mutation {
  return reads(fields, (value) => (isLosslessNumber(value) ? new LosslessNumber(change(value.value)) : value))
}

/** A server that reads one value of a field as another one. */
export function accepts(field: keyof Rule, accepted: unknown, as: unknown): Mutation {
  return reads(field, (value) => (value === accepted ? as : value))
}

/** A server that changes a path before it looks it up. */
export function rewrites(change: (path: string) => string): Mutation {
  return instead('splitTarget', ({ splitTarget }, target) => {
    const { path, query } = splitTarget(target)
    return { path: change(path), query }
  })
}

/** A server that reads texts of this form as an index in its own way. */
export function readsIndexLike(form: RegExp, read: (text: string) => number | undefined): Mutation {
  return instead('parseIndex', ({ parseIndex }, text) => (form.test(text) ? read(text) : parseIndex(text)))
}

/** A server that confirms some new rules and does not add them. */
export function ignores(isMeant: (rule: Rule, known: Known) => boolean): Mutation {
  return instead('addRule', ({ addRule, known }, rules, rule) =>
    isMeant(rule, known) ? { rules, position: rules.length } : addRule(rules, rule),
  )
}

/** A server that removes the rule that is at the position in another list. */
export function removesFrom(list: (rules: RuleList, known: Known) => RuleList): Mutation {
  return removes((position, [rules], known) => {
    const meant = arrayOf(list(rules, known))[position]
    return meant !== undefined && rules.includes(meant) ? rules.indexOf(meant) : position
  })
}

/** A server that saves only some changes. */
export function saves(isSaved: (known: Known) => boolean): Mutation {
  return instead('save', async ({ save, known }, write, change) => {
    if (isSaved(known)) await save(write, change)
  })
}

/** A server whose list shows only its first rules, with the correct total. */
export function listsAtMost(most: number): Mutation {
  return returnsList((rules) => ({ rules: rules.slice(0, most) }))
}

/** A server that changes its 200 responses to these requests. */
export function answers(line: string, change: Partial<HttpResponse>): Mutation {
  return responds(is(200, line), (response) => ({ ...response, ...change }))
}

/** A server with another error body if `applies` holds. */
export function errorsBecome(applies: Applies, become: (message: string, status: number) => Json): Mutation {
  return responds(
    (status, request) => status >= 400 && applies(status, request),
    (response, _, { encodeJson }) => {
      const { error } = JSON.parse(textOf(response)) as { error: string }
      return { ...response, body: encodeJson(become(error, response.status)) }
    },
  )
}

/** Turns a response into an error. */
export function asError(status: number, message: string) {
  return (response: HttpResponse, _request: unknown, { errorBody, encodeJson }: Hooks): HttpResponse => ({
    ...response,
    status,
    body: encodeJson(errorBody(message, status)),
  })
}

/** Turns a response into that to a request without the correct key. */
export function asUnauthorized(response: HttpResponse, request: unknown, hooks: Hooks): HttpResponse {
  const { status, message } = hooks.unauthorized()
  return asError(status, message)(response, request, hooks)
}

/** A server that accepts other credentials. `isRight` tells what a correct server decides. */
export function authorizes(
  isAccepted: (given: Credentials, isRight: () => boolean, known: Known) => boolean,
): Mutation {
  return instead('acceptsCredentials', ({ acceptsCredentials, known }, given, isRight) =>
    isAccepted(given, () => acceptsCredentials(given, isRight), known),
  )
}

/** What is known about a request before its key is checked. */
export type Asked = Known['request']

/** Selects requests with one of these methods or request lines, e.g. `DELETE` or `GET /api/rules`. */
export function isFor(...lines: readonly string[]): (asked: Asked) => boolean {
  return ({ method, path }) => lines.includes(method) || lines.includes(`${method} ${path}`)
}

/** A server that needs no key in these requests. */
export function needsNoKey(isMeant: (asked: Asked, known: Known) => boolean): Mutation {
  return instead('asksForKey', ({ asksForKey, known }, asked) => !isMeant(asked, known) && asksForKey(asked))
}

/** A server that compares keys differently in these requests. If it has no key, it accepts none. */
export function compares(alike: Hooks['sameKey'], isMeant: (asked: Asked) => boolean = () => true): Mutation {
  return instead('sameKey', ({ sameKey, known }, given, key) =>
    isMeant(known.request) ? key !== '' && alike(given, key) : sameKey(given, key),
  )
}

/**
 * A server that is full at other times. `isFull` tells whether a correct server with room for `more` more rules is
 * full.
 */
export function isFullWhen(full: (isFull: (more?: number) => boolean, known: Known) => boolean): Mutation {
  return instead('isFull', ({ isFull, known }, rules, capacity) =>
    full((more = 0) => isFull(rules, Math.max(0, capacity + more)), known),
  )
}

/** No change can be saved. */
export const savesNothing: Mutation = ({ notSaved }) => ({ save: () => Promise.reject(notSaved()) })

/** No key is accepted. */
export const rejectsEveryKey: Mutation = () => ({ sameKey: () => false })
