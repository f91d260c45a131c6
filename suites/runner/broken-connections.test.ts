import { expect, test } from 'vitest'
import type { HttpResponse } from '../client/response.ts'
import { recordBrokenConnections } from './broken-connections.ts'

const request = { method: 'GET', path: '/v1/account', headers: {}, body: null } as const
const read = { kind: 'request', url: 'http://127.0.0.1:1', request } as const
const received = (status: number) => ({ responses: [{ status } as HttpResponse], broken: null })

test('a gateway status is at the same place whether the requests before it are sent again or recalled', () => {
  const breaks = recordBrokenConnections(null)
  breaks.observe(read)(received(200))
  breaks.observe(read)(received(503))
  expect(breaks.take().ofGateway).toEqual([2])
  breaks.skip(1)
  breaks.observe(read)(received(503))
  expect(breaks.take().ofGateway).toEqual([2])
})

test('the places of gateway statuses do not depend on which of two overlapping requests ends first', () => {
  const breaks = recordBrokenConnections(null)
  const ends = [breaks.observe(read), breaks.observe(read)]
  for (const end of ends.toReversed()) end(received(503))
  expect(breaks.take().ofGateway).toEqual([1, 2])
})
