import type { Step } from '../assertions/failure.ts'
import type { Exchange } from '../client/exchange.ts'
import { toCurl, toScript } from './curl.ts'

/** The steps of a check, and the request whose response is wrong. */
export interface Reproduced {
  readonly steps: readonly Step[]
  /** The number of requests that are not among the steps. */
  readonly omitted: number
  readonly failing: Exchange | undefined
  /** How to get a server in the same state; null if the kit starts none. */
  readonly hint: string | null
}

/**
 * A shell script that reproduces a failure: only the request if nothing before it can have changed the server,
 * otherwise every step since the first list. Null if there are only raw bytes.
 */
export function reproduction({ steps, omitted, failing, hint }: Reproduced, keyVariable: string): string | null {
  const at = steps.findIndex((step) => typeof step === 'object' && step.id === failing?.id)
  const before = steps.slice(0, Math.max(at, 0))
  const changes = before.filter((step) => typeof step === 'string' || mayHaveChanged(step))
  if (failing === undefined || changes.length === 0) return toCurl(failing, keyVariable)
  const first = before.find((step) => typeof step === 'object' && listedIn(step) !== null)
  const known = typeof first === 'object' ? [`The list: ${listedIn(first)}`] : []
  const gap = omitted === 0 ? [] : [`${omitted} more requests are left out.`]
  return toScript([...(hint === null ? [] : [hint]), ...known, ...gap, ...changes, failing], keyVariable)
}

const maxListed = 12

/** A rejected request has changed nothing, or the failure is about it. */
function mayHaveChanged({ request, response }: Exchange): boolean {
  const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(request.method)
  return !isRead && (response === null || response.status < 400)
}

/** The rules in a list, for example `1001>2001, 1001>2002`; null if the exchange has no list. */
function listedIn({ request, response }: Exchange): string | null {
  if (request.method !== 'GET' || response?.status !== 200) return null
  const pairs = [...(response.body ?? '').matchAll(/"master":\s*(\d+),\s*"follower":\s*(\d+)/g)]
  if (pairs.length === 0) return /"total":\s*0\b/.test(response.body ?? '') ? 'empty' : null
  const shown = pairs.slice(0, maxListed).map(([, master, follower]) => `${master}>${follower}`)
  return [...shown, ...(pairs.length > maxListed ? ['…'] : [])].join(', ')
}
