import type { IncomingMessage } from 'node:http'
import { isLosslessNumber, LosslessNumber } from 'lossless-json'
import { after, calling, type Event } from '../../defect-parts/events.ts'
import { drop, reject } from '../../defect-parts/reject.ts'
import { asks, type Changes, changesResponse, textOf, withMembers } from '../../defect-parts/wire.ts'
import type { Members } from '../../server/body.ts'
import type { HttpResponse, Json } from '../../server/response.ts'
import type { Credentials } from '../hooks/authentication.ts'
import type { Hooks, Override } from '../hooks/hooks.ts'
import type { StatusFacts } from '../hooks/responses.ts'
import type { Rule } from '../model/rule.ts'
import type { RuleList } from '../model/rule-list.ts'
import { type Known, knowing } from './known.ts'

/** One field of a rule, or several. */
export type Fields = keyof Rule | readonly (keyof Rule)[]

/** A server that reads these fields as if another value had been sent. */
export function reads(fields: Fields, change: (value: unknown, members: Members) => unknown): Override {
  return ({ fieldOf }) => ({
    fieldOf: (members, field) => {
      const value = fieldOf(members, field)
      return [fields].flat().includes(field) ? change(value, members) : value
    },
  })
}

/** A server that reads the value of a rule as if this number had been sent. */
export function readsNumeral(change: (text: string) => string): Override {
  return reads('value', (value) => (isLosslessNumber(value) ? new LosslessNumber(change(value.value)) : value))
}

/** A server that takes one value of a field for another one. */
export function accepts(field: keyof Rule, accepted: unknown, as: unknown): Override {
  return reads(field, (value) => (value === accepted ? as : value))
}

/** A server that rejects one value of these fields with this status. */
export function refuses(fields: Fields, refused: unknown, status: number, message: string): Override {
  return reads(fields, (value) => (value === refused ? reject(status, message) : value))
}

/** A server that reads the index in a path as if this text had been sent. */
export function readsIndex(change: (text: string) => string): Override {
  return ({ parseIndex }) => ({ parseIndex: (text) => parseIndex(change(text)) })
}

/** A server that reads texts of this form as an index in its own way. */
export function readsIndexLike(form: RegExp, read: (text: string) => number | undefined): Override {
  return ({ parseIndex }) => ({ parseIndex: (text) => (form.test(text) ? read(text) : parseIndex(text)) })
}

/** A server that stores another rule than the one that was sent. */
export function stores(change: (rule: Rule, rules: RuleList) => Rule): Override {
  return ({ addRule }) => ({ addRule: (rules, rule) => addRule(rules, change(rule, rules)) })
}

/** A server that removes another rule than the one at the position. */
export function removes(meant: (rules: RuleList, position: number) => number): Override {
  return ({ removeRule }) => ({ removeRule: (rules, position) => removeRule(rules, meant(rules, position)) })
}

/** A server that writes another list to its file. */
export function files(change: (rules: RuleList, known: Known) => RuleList): Override {
  return knowing(({ encodeFile }, known) => ({ encodeFile: (rules) => encodeFile(change(rules, known)) }))
}

/** A server that loads another list than the file holds. */
export function loads(change: (rules: RuleList) => RuleList): Override {
  return ({ decodeFile }) => ({ decodeFile: (bytes) => change(decodeFile(bytes)) })
}

/** A server that adds the new rule to another list than the present one. */
export function addsTo(list: (rules: RuleList, rule: Rule) => RuleList): Override {
  return ({ addRule }) => ({ addRule: (rules, rule) => addRule(list(rules, rule), rule) })
}

/** A server that confirms some new rules and does not add them. */
export function ignores(isMeant: (rule: Rule) => boolean): Override {
  return ({ addRule }) => ({
    addRule: (rules, rule) => (isMeant(rule) ? { rules, position: rules.length } : addRule(rules, rule)),
  })
}

/** A server that leaves another list after a DELETE than the right one. */
export function leaves(list: (left: RuleList, position: number, rules: RuleList) => RuleList): Override {
  return ({ removeRule }) => ({
    removeRule: (rules, position) => list(removeRule(rules, position), position, rules),
  })
}

/** A server that lists each rule with some members replaced, added or left out. */
export function listsRule(members: (rule: Rule, index: number) => Changes): Override {
  return ({ ruleBody }) => ({ ruleBody: (rule, index) => withMembers(ruleBody(rule, index), members(rule, index)) })
}

/** A server that returns the list with some members replaced, added or left out. */
export function returnsList(members: (rules: readonly Json[]) => Changes): Override {
  return ({ listBody }) => ({ listBody: (rules) => withMembers(listBody(rules), members(rules)) })
}

/** A server that returns the status with some members replaced, added or left out. */
export function returnsStatus(members: (facts: StatusFacts) => Changes): Override {
  return ({ statusBody }) => ({ statusBody: (facts) => withMembers(statusBody(facts), members(facts)) })
}

/** A server whose response to a POST has some members replaced, added or left out. */
export function returnsAdded(members: (rule: Rule, index: number) => Changes): Override {
  return ({ addedBody }) => ({ addedBody: (rule, index) => withMembers(addedBody(rule, index), members(rule, index)) })
}

/** A server that answers with another response where it would answer such requests with 200. */
export function answers(line: string, change: Partial<HttpResponse>): Override {
  return changesResponse(
    (status, request) => status === 200 && asks(request, line),
    (response) => ({ ...response, ...change }),
  )
}

/** A server whose error body is another where `applies` says so. */
export function errorsBecome(
  applies: (status: number, request: IncomingMessage) => boolean,
  become: (message: string, status: number) => Json,
): Override {
  return ({ encodeJson }) => ({
    finish: (response, request) => {
      if (response.status < 400 || !applies(response.status, request)) return response
      const { error } = JSON.parse(textOf(response)) as { error: string }
      return { ...response, body: encodeJson(become(error, response.status)) }
    },
  })
}

/** A server that accepts other credentials: `isRight` tells what a right server decides. */
export function authorizes(
  isAccepted: (given: Credentials, isRight: () => boolean, known: Known) => boolean,
): Override {
  return knowing(({ acceptsCredentials }, known) => ({
    acceptsCredentials: (given, isRight) => isAccepted(given, () => acceptsCredentials(given, isRight), known),
  }))
}

/** A server that compares keys in another way. Without a key of its own it accepts none. */
export function compares(alike: Hooks['sameKey']): Override {
  return () => ({ sameKey: (given, key) => key !== '' && alike(given, key) })
}

/** What is known of a request before its key is checked. */
export type Asked = Known['request']

/** A server that is wrong in some requests only: `isCurrent` tells whether the present one is among them. */
export function duringRequests(
  isMeant: (asked: Asked) => boolean,
  change: (hooks: Hooks, isCurrent: () => boolean) => Partial<Hooks>,
): Override {
  return knowing((hooks, known) => change(hooks, () => isMeant(known.request)))
}

/** A server that discloses its key. It learns the key from the first comparison. */
export function knowingKey(change: (hooks: Hooks, key: () => string) => Partial<Hooks>): Override {
  return knowing((hooks, known) => change(hooks, () => known.key))
}

/** A server that is wrong at its capacity. It learns the capacity from the first POST; until then it is infinite. */
export function knowingCapacity(change: (hooks: Hooks, capacity: () => number) => Partial<Hooks>): Override {
  return knowing((hooks, known) => change(hooks, () => known.capacity))
}

/** A server that is full at other times. `isFull` tells whether a right one with room for `more` rules is full. */
export function isFullWhen(full: (isFull: (more?: number) => boolean, known: Known) => boolean): Override {
  return knowing(({ isFull }, known) => ({
    isFull: (rules, capacity) => full((more = 0) => isFull(rules, Math.max(0, capacity + more)), known),
  }))
}

/** The event that a hook is called with what is meant. */
export const on = calling<Hooks>()

/** No request gets a response from then on. */
export function dropsAll({ readApiKeyHeader }: Hooks, isLost: () => boolean): Partial<Hooks> {
  return { readApiKeyHeader: (headers) => (isLost() ? drop() : readApiKeyHeader(headers)) }
}

/** No change can be saved from then on. */
export function savesNothing({ save, notSaved }: Hooks, isLost: () => boolean): Partial<Hooks> {
  return {
    save: async (write, change) => {
      if (isLost()) throw notSaved()
      await save(write, change)
    },
  }
}

/** No key is right from then on. */
export function knowsNoKey({ sameKey }: Hooks, isLost: () => boolean): Partial<Hooks> {
  return { sameKey: (given, key) => !isLost() && sameKey(given, key) }
}

/** A server that loses resources, e.g. workers. When all are lost, no request gets a response. */
export function losing(resources: number, event: Event<Hooks>): Override {
  return after(event, dropsAll, resources)
}

/** Turns a response into an error. */
export function asError({ errorBody, encodeJson }: Hooks, status: number, message: string) {
  return (response: HttpResponse): HttpResponse => ({
    ...response,
    status,
    body: encodeJson(errorBody(message, status)),
  })
}
