import { expectThat } from '../assertions/expect.ts'
import { after, NotApplicable } from '../assertions/failure.ts'
import type { HttpResponse } from '../client/response.ts'

interface Rejected {
  readonly method: string
  readonly path: string
  readonly documented: readonly string[]
  readonly response: HttpResponse
}

/** Each 405 lists the documented methods of its path in `Allow`, and not the rejected one (RFC 9110, 15.5.6). */
export async function expectAllow(asked: readonly Rejected[]): Promise<void> {
  const rejected = asked.filter(({ response }) => response.status === 405)
  if (rejected.length === 0) throw new NotApplicable('no method is answered with 405')
  for (const { method, path, documented, response } of rejected) {
    const { allow } = response.headers
    const listed = (allow ?? '').split(',').map((name) => name.trim())
    const difference = listed.toSorted()
    const facts = { expected: documented.join(', '), actual: allow ?? 'no Allow header', difference, response }
    const missing = allow === undefined ? 'header.allow-missing' : 'header.allow-incomplete'
    await after(`${method} ${path}`, () => {
      expectThat(
        documented.every((name) => listed.includes(name)),
        missing,
        facts,
      )
      expectThat(!listed.includes(method), 'header.allow-rejected', { ...facts, expected: `no ${method}` })
    })
  }
}
