import { expectObject, expectStatus, failure } from '../assertions/expect.ts'
import { CannotArrange, FailedExpectation, failureOf } from '../assertions/failure.ts'
import { isObject } from '../client/json.ts'
import type { Request } from '../client/request.ts'
import { type HttpResponse, isSuccess } from '../client/response.ts'
import { contentOf, type Draft, describeRule, haveSameLogins, type Rule, sameContent } from '../model/rule.ts'
import type { Plugin } from './plugin.ts'

/** The rule list of one server, as a check uses it. */
export type Rules = ReturnType<typeof createRules>

/** A tuple of the requested length, so that a check can name each rule. */
export type Arranged<What> = What extends readonly Draft[]
  ? { readonly [Position in keyof What]: Rule }
  : RulesOfLength<What>

type RulesOfLength<Length, Rules extends readonly Rule[] = []> = number extends Length
  ? readonly Rule[]
  : Rules['length'] extends Length
    ? Rules
    : RulesOfLength<Length, readonly [...Rules, Rule]>

export interface RulesOptions {
  readonly plugin: Plugin
  readonly draft: (changes?: Partial<Draft>) => Draft
  /** How to read the list for purposes that a check does not judge. Default: `plugin.list`. */
  readonly list?: Plugin['list']
}

export function createRules({ plugin, draft, list = plugin.list }: RulesOptions) {
  const read = async () => rulesIn(await plugin.list())
  const readRules = async () => rulesIn(await list())

  const addOne = async (rule: Draft) => requireSuccess(`POST of ${describeRule(rule)}`, await plugin.add(rule))

  const sendRemoval = async (rule: Draft) => {
    const { index } = await arranged(async () => findRule(await readRules(), rule))
    return plugin.remove(index)
  }

  return {
    draft,
    /** A draft whose follower no rule of a list has, if there is one: a server may allow each only once. */
    unused(list: readonly Draft[]): Draft {
      const followers = new Set(list.map(({ follower }) => follower))
      let drawn = draft()
      for (let count = 0; count < list.length && followers.has(drawn.follower); count += 1) drawn = draft()
      return drawn
    },
    /** Adds a rule. Throws `CannotArrange` if the server rejects it. */
    add: addOne,
    /** The whole list; fails if the response is not a valid list. */
    read,
    /** The rule of a list with this content; fails unless there is exactly one. */
    find: findRule,
    /**
     * Adds these rules, or this number of new ones, and returns them as listed, found by their logins. Throws
     * `CannotArrange` if the server rejects them.
     */
    async arrange<const What extends number | readonly Draft[]>(what: What) {
      const drafts: readonly Draft[] = typeof what === 'number' ? Array.from({ length: what }, () => draft()) : what
      for (const rule of drafts) await addOne(rule)
      return arranged(async () => {
        const list = await readRules()
        return drafts.map((rule) => findPair(list, rule)) as unknown as Arranged<What>
      })
    },
    /** Sends a DELETE with the current index of the rule with this content. */
    sendRemoval,
    /** The same. Throws `CannotArrange` if the server rejects that, or if the rule stays listed. */
    async remove(rule: Draft) {
      const response = await sendRemoval(rule)
      requireRemoved(rule, response, await arranged(readRules))
    },
    /**
     * Adds rules that a server may reject, and returns those that it accepted. Throws `CannotArrange` if its responses
     * or its list do not show which these are.
     */
    async offer(drafts: readonly Draft[]): Promise<readonly Draft[]> {
      const { length } = await arranged(readRules)
      const accepted: Draft[] = []
      for (const rule of drafts) if (isAccepted(await plugin.add(rule))) accepted.push(rule)
      const added = (await arranged(readRules)).length - length
      if (added === accepted.length) return accepted
      throw new CannotArrange(`${accepted.length} rules were accepted, and the list has ${added} more`)
    },
    /** Removes listed rules with these contents to make room. Failures are ignored. */
    async clear(drafts: readonly Draft[]) {
      for (const rule of drafts) {
        const listed = (await readRules()).findLast((other) => sameContent(other, rule))
        if (listed !== undefined) await plugin.remove(listed.index)
      }
    },
  }
}

/**
 * Whether a request that a server may reject for its content was accepted. `null` is a closed connection. Throws
 * `CannotArrange` if the response has another reason: the key, a rate limit, or the server itself.
 */
export function isAccepted(response: HttpResponse | null): boolean {
  if (response === null) return false
  const { status, text } = response
  if (status < 300) return true
  if (![401, 403, 429].includes(status) && status < 500) return false
  throw new CannotArrange(`a request that may be rejected for its content was answered with ${status} ${text}`)
}

/** Called after a request that a check sends but does not judge. Throws `CannotArrange` unless it succeeded. */
export function requireSuccess(what: string, response: HttpResponse): void {
  if (!isSuccess(response)) throw new CannotArrange(`${what} was answered with ${response.status} ${response.text}`)
}

/** Called after a DELETE that a check sends but does not judge. Throws `CannotArrange` unless the rule was removed. */
export function requireRemoved(rule: Draft, response: HttpResponse, list: readonly Rule[] = []): void {
  const isListed = list.some((other) => sameContent(other, rule))
  if (isSuccess(response) && !isListed) return
  const seen = isListed ? ', and the rule is listed' : ''
  throw new CannotArrange(`DELETE of ${describeRule(rule)} was answered with ${response.status}${seen}`)
}

/** Runs a preparation of a check: a failed expectation in it blocks the check and is not a verdict. */
export async function arranged<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (!(error instanceof FailedExpectation)) throw error
    throw new CannotArrange(`${error.message} Expected: ${error.expected}; actual: ${error.actual}.`, { cause: error })
  }
}

/** Equal bodies share one list (`decodeBody`), and so do their rules. */
const rulesOf = new WeakMap<readonly unknown[], readonly Rule[]>()

/** The rules in a response to `GET /api/rules`, in the order of the list. */
export function rulesIn(response: HttpResponse): readonly Rule[] {
  expectStatus(response, 200)
  const { rules } = expectObject(response)
  if (!Array.isArray(rules)) {
    throw failure('list.rules-not-array', { actual: rules, response })
  }
  const list = rulesOf.get(rules) ?? rules.map(toRule)
  rulesOf.set(rules, list)
  return list
}

/** The same; null if the response is not a valid list. */
export function rulesOrNull(response: HttpResponse): readonly Rule[] | null {
  return failureOf(() => rulesIn(response)) === null ? rulesIn(response) : null
}

/** The list in the response to an ordinary GET of the rules; null for any other response. */
export function listIn({ method, path }: Request, response: HttpResponse): readonly Rule[] | null {
  return method === 'GET' && path === '/api/rules' && response.status === 200 ? rulesOrNull(response) : null
}

function toRule(entry: unknown): Rule {
  if (!isObject(entry)) throw failure('rule.not-object', { actual: entry })
  const { index, master, follower, mode, direction } = entry
  // Only logins need more digits than a double has.
  const value = typeof entry.value === 'bigint' ? Number(entry.value) : entry.value
  // Unknown members are allowed; the checks of clause 2.3 judge the types of the known ones.
  return { index, master, follower, mode, value, direction } as Rule
}

const members = ['index', 'master', 'follower', 'mode', 'value', 'direction']

/** The names of further members in a valid list. A rule that is added again lacks them. */
export function furtherMembers({ json }: HttpResponse): readonly string[] {
  const { rules } = json as { readonly rules: readonly object[] }
  const names = new Set(rules.flatMap((rule) => Object.keys(rule)))
  return [...names].filter((name) => !members.includes(name))
}

/** Describes the listed rule that may be the sent one with changed contents. */
function describeLike(list: readonly Rule[], { master, follower }: Draft): string | undefined {
  const like =
    list.find((rule) => haveSameLogins(rule, { master, follower })) ??
    list.find((rule) => rule.follower === follower || rule.master === follower)
  return like && describeRule(contentOf(like))
}

/** The rule with these logins: the kit uses each pair only once. */
export function findPair(list: readonly Rule[], draft: Draft): Rule {
  const found = list.find((rule) => haveSameLogins(rule, draft))
  if (found !== undefined) return found
  throw failure('rule.missing', { expected: describeRule(draft), length: list.length, difference: null })
}

function findRule(list: readonly Rule[], draft: Draft): Rule {
  const found = list.filter((rule) => sameContent(rule, draft))
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  const about = { expected: describeRule(draft), length: list.length, difference: null }
  if (only === undefined) throw failure('rule.missing', { ...about, actual: describeLike(list, draft) })
  throw failure('rule.repeated', { ...about, times: found.length })
}
