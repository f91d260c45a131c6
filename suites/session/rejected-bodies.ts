import { type ExpectedStatus, expectErrorResponse, expectStatus, expectUnchanged } from '../assertions/expect.ts'
import { after, CannotArrange } from '../assertions/failure.ts'
import type { HttpResponse } from '../client/response.ts'
import type { Draft } from '../model/rule.ts'
import { post } from './rejected-requests.ts'
import type { Session, SharedExchange } from './session.ts'

interface RejectedBodies {
  /** Each differs from the valid twin in one point, which its name states. */
  readonly bodies: readonly (readonly [name: string, body: string])[]
  readonly twin: Draft
  /** A name for bodies that several checks judge with different expectations. */
  readonly shared?: string
}

/** A server may limit the length of a body, but hardly to less than this. */
const shortestLimit = 4_096

/** So many are sent before the list is read again. */
const together = 4

/** Bodies that are not JSON. */
export const brokenBodies = ['{', '{"master":', 'text', '[1,']

/** A rule that no conforming server accepts, because it lacks `direction`. */
export const withoutDirection = ({ direction: _, ...rest }: Draft): Omit<Draft, 'direction'> => rest

/** The JSON of a rule with another JSON value of this field. */
export function withField(rule: string, field: string, json: string): string {
  return rule.replace(new RegExp(`"${field}":(?:"[^"]*"|[^,}]+)`), () => `"${field}":${json}`)
}

/**
 * Expects that each body is rejected and changes nothing, which proves nothing if its valid twin is rejected too.
 *
 * @param status of each error response. Default: any status from 400 on. A long body may also get 413.
 */
export async function expectBodiesRejected(
  session: Session,
  groups: readonly RejectedBodies[],
  status?: ExpectedStatus,
): Promise<void> {
  const { plugin, rules, known } = session
  const expectRejection = (response: HttpResponse, body: string) => {
    const isTooLong = response.status === 413 && body.length > shortestLimit
    if (status === undefined || isTooLong) expectErrorResponse(response)
    else expectStatus(response, status)
  }
  const unknown: RejectedBodies[] = []
  for (const group of groups) {
    const bodies: (readonly [name: string, body: string])[] = []
    for (const [name, body] of group.bodies) {
      const response = group.shared === undefined ? undefined : known.find(`${group.shared} ${name}`)?.[0]?.response
      if (response === undefined) bodies.push([name, body])
      else await after(`POST with ${name}`, () => expectRejection(response, body))
    }
    if (bodies.length > 0) unknown.push({ ...group, bodies })
  }
  if (unknown.length === 0) return
  // An ordinary rule first, since a faulty server may use its values for missing fields. It is removed, since a server
  // may reject duplicates.
  const [ordinary] = await rules.arrange(1)
  await rules.remove(ordinary)
  const before = await rules.read()
  const exchanges = new Map<string, SharedExchange>()
  for (const { bodies, shared } of unknown) {
    for (let from = 0; from < bodies.length; from += together) {
      const group = bodies.slice(from, from + together)
      for (const [name, body] of group) {
        await after(`POST with ${name}`, async () => {
          const request = post(body)
          const response = await plugin.send(request)
          expectRejection(response, body)
          if (shared !== undefined) exchanges.set(`${shared} ${name}`, { request, response, lists: [] })
        })
      }
      const names = group.map(([name]) => name).join(', ')
      await after(`POST with ${names}`, async () => expectUnchanged(await rules.read(), before))
    }
  }
  for (const { twin } of unknown) {
    const accepted = await plugin.add(twin)
    if (accepted.status !== 201) {
      throw new CannotArrange(`The valid twin of the rejected requests was answered with ${accepted.status} as well.`)
    }
    await rules.clear([twin])
  }
  for (const [what, exchange] of exchanges) known.store(what, [exchange])
}
