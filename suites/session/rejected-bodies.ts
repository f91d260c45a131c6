import { after } from '../assertions/after.ts'
import { type ExpectedStatus, expectErrorResponse, expectStatus, expectUnchanged } from '../assertions/expect.ts'
import { CannotArrange } from '../assertions/failure.ts'
import type { Draft } from '../model/rule.ts'
import type { Session } from './session.ts'

interface RejectedBodies {
  /** Each differs from the twin in one point, which its name says. */
  readonly bodies: readonly (readonly [name: string, body: string])[]
  readonly twin: Draft
  /** The status of each error response; any status from 400 on without it. */
  readonly status?: ExpectedStatus
}

/** A rule that no conforming server accepts, because it lacks `direction`. */
export function withoutDirection({ direction: _, ...rest }: Draft): Omit<Draft, 'direction'> {
  return rest
}

/** The JSON of a rule in which this field has another value, as JSON. */
export function withField(rule: string, field: string, json: string): string {
  return rule.replace(new RegExp(`"${field}":(?:"[^"]*"|[^,}]+)`), () => `"${field}":${json}`)
}

/**
 * Each body is rejected, and the list stays unchanged. Then the valid twin is sent: if it were rejected
 * too, the error responses would show nothing about the point in which the bodies differ, and the check is
 * blocked.
 */
export async function expectBodiesRejected(
  { plugin, rules }: Session,
  { bodies, twin, status }: RejectedBodies,
): Promise<void> {
  // An ordinary rule first: what a server remembers of it must not fill the gaps of the next. It is
  // removed again, since a server that rejects duplicates would reject it for that.
  const [ordinary] = await rules.arrange(1)
  await rules.remove(ordinary)
  const before = await rules.read()
  for (const [name, body] of bodies) {
    await after(`POST with ${name}`, async () => {
      const response = await plugin.addText(body)
      if (status === undefined) expectErrorResponse(response)
      else expectStatus(response, status)
      expectUnchanged(await rules.read(), before)
    })
  }
  const accepted = await plugin.add(twin)
  if (accepted.status !== 201) {
    throw new CannotArrange(`The valid twin of the rejected requests was answered with ${accepted.status} as well.`)
  }
  await rules.clear([twin])
}
