import type { IncomingMessage } from 'node:http'
import { supply } from '../../defect-parts/resource-pool.ts'
import { type Members, textOf, withMembers } from '../../defect-parts/wire.ts'
import type { Json } from '../../server/response.ts'
import type { Hooks, Override } from '../hooks/hooks.ts'
import type { StatusFacts } from '../hooks/responses.ts'
import type { Rule } from '../model/rule.ts'
import type { RuleList } from '../model/rule-list.ts'

/** A server that reads the mode as if this value had been sent. */
export function readsMode(change: (value: unknown) => unknown): Override {
  return ({ readMode }) => ({ readMode: (value) => readMode(change(value)) })
}

/** A server that reads the direction as if this value had been sent. */
export function readsDirection(change: (value: unknown) => unknown): Override {
  return ({ readDirection }) => ({ readDirection: (value) => readDirection(change(value)) })
}

/** A server that reads the value of a rule as if this value had been sent. */
export function readsValue(change: (value: unknown) => unknown): Override {
  return ({ readValue }) => ({ readValue: (value) => readValue(change(value)) })
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

/** A server that lists each rule with some members replaced or added. */
export function listsRule(members: (rule: Rule, index: number) => Members): Override {
  return ({ ruleBody }) => ({ ruleBody: (rule, index) => withMembers(ruleBody(rule, index), members(rule, index)) })
}

/** A server that returns the list with some members replaced or added. */
export function returnsList(members: (rules: readonly Json[]) => Members): Override {
  return ({ listBody }) => ({ listBody: (rules) => withMembers(listBody(rules), members(rules)) })
}

/** A server that returns the status with some members replaced or added. */
export function returnsStatus(members: (facts: StatusFacts) => Members): Override {
  return ({ statusBody }) => ({ statusBody: (facts) => withMembers(statusBody(facts), members(facts)) })
}

/** A server whose response to a POST has some members replaced or added. */
export function returnsAdded(members: (rule: Rule, index: number) => Members): Override {
  return ({ addedBody }) => ({ addedBody: (rule, index) => withMembers(addedBody(rule, index), members(rule, index)) })
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

/** What is known of a request before its key is checked. */
export type Asked = Parameters<Hooks['asksForKey']>[0]

/** A server that is wrong in some requests only: `isCurrent` tells whether the present one is among them. */
export function duringRequests(
  isMeant: (asked: Asked) => boolean,
  change: (hooks: Hooks, isCurrent: () => boolean) => Partial<Hooks>,
): Override {
  return (hooks) => {
    let current = false
    return {
      asksForKey: (asked) => {
        current = isMeant(asked)
        return hooks.asksForKey(asked)
      },
      ...change(hooks, () => current),
    }
  }
}

/** A server that discloses its key. It learns the key from the first comparison. */
export function knowingKey(change: (hooks: Hooks, key: () => string) => Partial<Hooks>): Override {
  return (hooks) => {
    let expected = ''
    return {
      sameKey: (given, key) => {
        expected = key
        return hooks.sameKey(given, key)
      },
      ...change(hooks, () => expected),
    }
  }
}

/** A server that is wrong at its capacity. It learns the capacity from the first POST; until then it is infinite. */
export function knowingCapacity(change: (hooks: Hooks, capacity: () => number) => Partial<Hooks>): Override {
  return (hooks) => {
    let known = Number.POSITIVE_INFINITY
    return {
      isFull: (rules, capacity) => {
        known = capacity
        return hooks.isFull(rules, capacity)
      },
      ...change(hooks, () => known),
    }
  }
}

/** A server that treats the rules that it loaded from its file differently from the others. */
export function knowingLoadedRules(change: (hooks: Hooks, loaded: () => RuleList) => Partial<Hooks>): Override {
  return (hooks) => {
    let known: RuleList = []
    return {
      decodeFile: (bytes) => {
        known = hooks.decodeFile(bytes)
        return known
      },
      ...change(hooks, () => known),
    }
  }
}

/** A server that loses resources, e.g. workers. When all are lost, no request gets a response. */
export function losing(resources: number, change: (hooks: Hooks, lose: () => void) => Partial<Hooks>): Override {
  return (hooks) => {
    const left = supply(resources)
    return {
      readApiKeyHeader: (headers) => left.need(hooks.readApiKeyHeader(headers)),
      ...change(hooks, left.lose),
    }
  }
}
