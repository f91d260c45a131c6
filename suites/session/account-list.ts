import { OutOfScope } from '../assertions/failure.ts'
import { isObject } from '../client/json.ts'
import { type HttpResponse, isSuccess } from '../client/response.ts'
import { accountPath, createPath, type Platform, type PlatformOverrides } from './platform.ts'
import { toJson } from './plugin.ts'

/** Possible paths of the list of trading accounts; the specification does not define it. */
export const listPaths = [createPath, `${createPath}/list`, '/v1/accounts'] as const
/** Elsewhere it lists brokerages, so only a list with all documented fields counts. */
const [, , ambiguousPath] = listPaths

/** A JSON object, such as an account. */
export type Members = Readonly<Record<string, unknown>>

/** The accounts are in the order of the list. Their members are not specified. */
export type AccountList = NonNullable<ReturnType<typeof listIn>>

export function readAccounts(platform: Platform, path: string, overrides?: PlatformOverrides): Promise<HttpResponse> {
  return platform.send({ ...overrides, method: 'GET', path })
}

/** The first of the paths with a list, or with JSON that is not valid; null if there is none. */
export async function findList(platform: Platform, paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    if (path === accountPath) continue
    const response = await readAccounts(platform, path)
    const isInvalid = isSuccess(response) && response.json === undefined && /^\s*[[{]/.test(response.text)
    const items = arrayIn(response)
    const isOfOthers = path === ambiguousPath && items !== null && items.length > 0 && mostFieldsIn(items) < 3
    if (isInvalid || (items !== null && !isOfOthers)) return path
  }
  return null
}

/** The accounts in a response, in any wrapper object; null if there is no list. Throws `OutOfScope` for a part of one. */
export function listIn(response: HttpResponse) {
  const found = arrayIn(response)
  if (found === null) return null
  if (isPart(response, found.length))
    throw new OutOfScope('the list is paginated, and how to read the other pages is not specified')
  const accounts: readonly Members[] = found.filter(isObject).map(unwrapped)
  return { response, accounts } as const
}

/** The documented members of a listed account, as JSON. Others, such as a time of the last login, may change. */
export function contentOf({ name, currency, balance, group, leverage }: Members): string {
  return toJson({ name, currency, balance, group, leverage })
}

/** Whether a response shows a list, complete or not. */
export const isList = (response: HttpResponse): boolean => arrayIn(response) !== null

function arrayIn(response: HttpResponse): readonly unknown[] | null {
  // Some languages write an empty list as null.
  if (isSuccess(response) && isObject(response.json) && response.json.data === null) return []
  return isSuccess(response) ? arrayOfAccounts(response.json) : null
}

/** The array whose objects have the most documented fields, the outermost of several. Otherwise an empty array. */
function arrayOfAccounts(value: unknown): readonly unknown[] | null {
  const arrays = outermostFirst(value).filter((one) => Array.isArray(one))
  const [best] = arrays
    .filter((one) => one.some(isObject))
    .toSorted((one, other) => mostFieldsIn(other) - mostFieldsIn(one))
  return best ?? arrays.find((one) => one.length === 0) ?? arrays[0] ?? null
}

function mostFieldsIn(items: readonly unknown[]): number {
  return Math.max(...items.filter(isObject).map((item) => documentedFieldsIn(unwrapped(item))))
}

const documentedFieldsIn = (item: Members) => ['name', 'balance', 'currency'].filter((field) => field in item).length

/** A listed account, which may be a member of its item, as in `{ id, attributes: { name, … } }` (JSON:API). */
function unwrapped(item: Members): Members {
  return documentedFieldsIn(item) > 0 ? item : Object.assign({}, item, ...Object.values(item).filter(isObject))
}

/** A value and the values in its objects, down to a depth. */
function outermostFirst(value: unknown): readonly unknown[] {
  const seen: unknown[] = []
  let level: readonly unknown[] = [value]
  for (let depth = 0; depth < 4 && level.length > 0; depth += 1) {
    seen.push(...level)
    level = level.filter(isObject).flatMap((one) => Object.values(one))
  }
  return seen
}

/** Members with the length of the whole list, in accounts or in pages; names in lower case without hyphens and underscores. */
const isTotal = /^(total(count|items|results|elements|records)?|count)$/
const isPageTotal = /^(lastpage|pagecount|(total|num)?pages)$/
/** Members that have a value only if more pages follow. */
const isNext = /^(next(cursor|page|pagetoken|token|url)?|hasmore|hasnext(page)?)$/

function isPart({ status, headers, json }: HttpResponse, count: number): boolean {
  if (status === 206) return true
  const totals = [headers['x-total-count'], headers['x-total'], /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1]]
  if (/rel="?next/i.test(headers.link ?? '') || totals.some((total) => Number(total ?? 0) > count)) return true
  const members = outermostFirst(json).filter(isObject).flatMap(Object.entries)
  return members.some(([name, value]) => {
    const plain = name.toLowerCase().replaceAll(/[-_]/g, '')
    if (isNext.test(plain)) return Boolean(value)
    if (typeof value !== 'number') return false
    return (isTotal.test(plain) && value > count) || (isPageTotal.test(plain) && value > 1)
  })
}
