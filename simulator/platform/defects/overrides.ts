import type { IncomingHttpHeaders } from 'node:http'
import { mutationsOf } from '../../defect-parts/mutations.ts'
import type { PlatformHooks } from '../hooks/hooks.ts'
import { type Known, observe } from './known.ts'

/** Mutations of any hook. */
export const { withKnown, instead, result, argument, members, on } = mutationsOf<PlatformHooks, Known>(observe)

export function isWithoutKey({ headers }: { readonly headers: IncomingHttpHeaders }): boolean {
  return headers.authorization === undefined
}

/** A server with other members of the account. What is known does not count the present response. */
export const returnsAccount = members('accountBody')

/** A server with other members of each listed account. */
export const listsAccount = members('listedBody')
