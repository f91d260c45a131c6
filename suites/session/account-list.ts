import type { Answer } from '../http/answer.ts'
import { OutOfScope } from '../vocabulary/failure.ts'
import { accountPath, createPath, type Platform, type PlatformVariation } from './platform.ts'

/** Where the list of trading accounts may be; the specification does not say it. */
export const listPaths = [createPath, `${createPath}/list`, '/v1/accounts'] as const

/** The trading accounts of a platform as they were read. */
export interface AccountList {
  readonly answer: Answer
  /** In the order of the list. Nothing is known of their members. */
  readonly accounts: readonly Readonly<Record<string, unknown>>[]
}

/** The list at a path. */
export function readAccounts(platform: Platform, path: string, variation?: PlatformVariation): Promise<Answer> {
  return platform.send({ ...variation, method: 'GET', path })
}

/** The first of the paths at which there is a list; null if there is none. */
export async function findList(platform: Platform, paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    if (path === accountPath) continue
    const answer = await readAccounts(platform, path)
    if (listIn(answer) !== null) return path
  }
  return null
}

/**
 * The accounts in an answer, whatever they are wrapped in; null if it holds no list. Throws
 * `OutOfScope` for a list that says that it is only a part: how to ask for the rest is not specified.
 */
export function listIn(answer: Answer): AccountList | null {
  if (answer.status < 200 || answer.status > 299) return null
  const found = firstArray(answer.json)
  if (found === null) return null
  if (isPart(answer)) throw new OutOfScope('the list is a part of a longer one, and how to read the rest is not known')
  return { answer, accounts: found.filter(isObject) }
}

/** The outermost array in a value. */
function firstArray(value: unknown): readonly unknown[] | null {
  let level: readonly unknown[] = [value]
  for (let depth = 0; depth < 4 && level.length > 0; depth += 1) {
    const found = level.find((one) => Array.isArray(one))
    if (found !== undefined) return found
    level = level.filter(isObject).flatMap((one) => Object.values(one))
  }
  return null
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isPart({ headers, json }: Answer): boolean {
  if (/rel="?next/i.test(headers.link ?? '')) return true
  return isObject(json) && (json.has_more === true || typeof json.next_cursor === 'string')
}
