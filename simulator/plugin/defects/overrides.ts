import { isLosslessNumber, LosslessNumber } from 'lossless-json'
import { mutationsOf } from '../../defect-parts/mutations.ts'
import { type Applies, is, textOf } from '../../defect-parts/wire.ts'
import type { Members } from '../../server/json.ts'
import type { HttpResponse, Json } from '../../server/response.ts'
import type { Credentials } from '../hooks/authentication.ts'
import type { Hooks, Override } from '../hooks/hooks.ts'
import type { Rule } from '../model/rule.ts'
import { arrayOf, type RuleList } from '../model/rule-list.ts'
import { type Known, observe } from './known.ts'

/** Mutations of any hook. */
export const { withKnown, instead, result, argument, members, responds, on } = mutationsOf<Hooks, Known>(observe)

/** A server with a state that outlives a restart. */
export function acrossStarts<State>(initial: () => State, wrong: (state: State) => Override): Override {
  const states = new WeakMap<object, State>()
  return (hooks, rulesFile = hooks) => {
    const state = states.get(rulesFile) ?? initial()
    states.set(rulesFile, state)
    return wrong(state)(hooks, rulesFile)
  }
}

export type Fields = keyof Rule | readonly (keyof Rule)[]

/** A server that reads these fields as if another value had been sent. */
export function reads(fields: Fields, change: (value: unknown, members: Members, known: Known) => unknown): Override {
  return instead('fieldOf', ({ fieldOf, known }, members, field) => {
    const value = fieldOf(members, field)
    return [fields].flat().includes(field) ? change(value, members, known) : value
  })
}

/** A server that reads the value of a rule as if another number had been sent. */
export function readsNumeral(change: (text: string) => string): Override {
  return reads('value', (value) => (isLosslessNumber(value) ? new LosslessNumber(change(value.value)) : value))
}

/** A server that reads one value of a field as another one. */
export function accepts(field: keyof Rule, accepted: unknown, as: unknown): Override {
  return reads(field, (value) => (value === accepted ? as : value))
}

/** A server that changes a path before it looks it up. */
export function rewrites(change: (path: string) => string): Override {
  return instead('splitTarget', ({ splitTarget }, target) => {
    const { path, query } = splitTarget(target)
    return { path: change(path), query }
  })
}

/** A server that reads the index in a path as if another text had been sent. */
export const readsIndex = argument('parseIndex')

/** A server that reads texts of this form as an index in its own way. */
export function readsIndexLike(form: RegExp, read: (text: string) => number | undefined): Override {
  return instead('parseIndex', ({ parseIndex }, text) => (form.test(text) ? read(text) : parseIndex(text)))
}

/** A server that finds rules at other positions, or none. `change` gets whether there is a rule at the position. */
export const holds = result('holdsPosition')

/** A server that stores another rule than was sent. */
export const stores = argument('addRule', 1)

/** A server that stores another value than it has read. */
export const storesValue = result('fitValue')

/** A server that adds the new rule to another list than the current one. */
export const addsTo = argument('addRule')

/** A server that confirms some new rules and does not add them. */
export function ignores(isMeant: (rule: Rule, known: Known) => boolean): Override {
  return instead('addRule', ({ addRule, known }, rules, rule) =>
    isMeant(rule, known) ? { rules, position: rules.length } : addRule(rules, rule),
  )
}

/** A server that reports a wrong index for a new rule. */
export const reportsIndex = result('reportedIndex')

/** A server that removes another rule than the one at the position. */
export const removes = argument('removeRule', 1)

/** A server that removes the rule that is at the position in another list. */
export function removesFrom(list: (rules: RuleList, known: Known) => RuleList): Override {
  return removes((position, [rules], known) => {
    const meant = arrayOf(list(rules, known))[position]
    return meant !== undefined && rules.includes(meant) ? rules.indexOf(meant) : position
  })
}

/** A server with another list after a DELETE than the correct one. */
export const leaves = result('removeRule')

/** A server that saves only some changes. */
export function saves(isSaved: (known: Known) => boolean): Override {
  return instead('save', async ({ save, known }, write, change) => {
    if (isSaved(known)) await save(write, change)
  })
}

/** A server that writes another list to its file. */
export const files = argument('encodeFile')

/** A server that loads another list than the file holds. */
export const loads = result('decodeFile')

/** A server that lists rules with other members. */
export const listsRule = members('ruleBody')

/** A server with other members in the response to GET /api/rules. */
export const returnsList = members('listBody')

/** A server with other members in the response to GET /api/status. */
export const returnsStatus = members('statusBody')

/** A server with other members in the response to a POST. */
export const returnsAdded = members('addedBody')

/** A server with other members in the response to a DELETE. */
export const returnsRemoved = members('removedBody')

/** A server whose list shows only its first rules, with the correct total. */
export function listsAtMost(most: number): Override {
  return returnsList((rules) => ({ rules: rules.slice(0, most) }))
}

/** A server that changes its 200 responses to these requests. */
export function answers(line: string, change: Partial<HttpResponse>): Override {
  return responds(is(200, line), (response) => ({ ...response, ...change }))
}

/** A server with another error body if `applies` holds. */
export function errorsBecome(applies: Applies, become: (message: string, status: number) => Json): Override {
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
): Override {
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
export function needsNoKey(isMeant: (asked: Asked, known: Known) => boolean): Override {
  return instead('asksForKey', ({ asksForKey, known }, asked) => !isMeant(asked, known) && asksForKey(asked))
}

/** A server that compares keys differently in these requests. If it has no key, it accepts none. */
export function compares(alike: Hooks['sameKey'], isMeant: (asked: Asked) => boolean = () => true): Override {
  return instead('sameKey', ({ sameKey, known }, given, key) =>
    isMeant(known.request) ? key !== '' && alike(given, key) : sameKey(given, key),
  )
}

/**
 * A server that is full at other times. `isFull` tells whether a correct server with room for `more` more rules is
 * full.
 */
export function isFullWhen(full: (isFull: (more?: number) => boolean, known: Known) => boolean): Override {
  return instead('isFull', ({ isFull, known }, rules, capacity) =>
    full((more = 0) => isFull(rules, Math.max(0, capacity + more)), known),
  )
}

/** No change can be saved. */
export const savesNothing: Override = ({ notSaved }) => ({ save: () => Promise.reject(notSaved()) })

/** No key is accepted. */
export const rejectsEveryKey: Override = () => ({ sameKey: () => false })
