import { expect, test } from 'vitest'
import type { RawResult } from '../client/raw.ts'
import { expectContinued } from './raw-request.ts'

/** Expects a response to bytes of which the end of the conversation is known. */
async function continued(end: RawResult['end'], bytes = ''): Promise<unknown> {
  const result = { responses: [], end, saidClose: false, bytes: Buffer.from(bytes) }
  return expectContinued({ raw: async () => result }, Buffer.alloc(0)).catch(({ code }) => code)
}

test('a response or a closed connection answers a request with Expect: 100-continue', async () => {
  expect(await continued('left', 'HTTP/1.1 100 Continue')).toBeUndefined()
  expect(await continued('closed')).toBeUndefined()
  expect(await continued('left')).toBe('response.missing')
})
