import { expect, test } from 'vitest'
import { CannotArrange, FailedExpectation, NotApplicable, OutOfScope } from '../assertions/failure.ts'
import type { Exchange } from '../client/exchange.ts'
import { NoResponse } from '../client/response.ts'
import { ConcurrentEdit } from '../safety/list-change-errors.ts'
import type { Case } from '../session/check.ts'
import { DriverFailed, PortTaken } from '../targets/driver.ts'
import { type Afterwards, classify } from './classify.ts'

const check: Case = { id: 'CT-1', requirement: 'r', title: 't', risk: 'read', run: async () => undefined }
const observation: Case = { id: 'CQ-1', question: 'q', title: 't', risk: 'read', run: async () => null as never }

const exchange = { id: 'x1', request: { method: 'POST', url: 'http://server/api/rules' }, response: null } as Exchange
const timeout = new DOMException('it took too long', 'TimeoutError')
const late = new NoResponse('POST was not answered: it took too long', exchange, { cause: timeout })
const cut = new NoResponse('POST was not answered: the connection was closed', exchange)
const failed = new FailedExpectation('list.length-wrong', { difference: 1 })

const failing = { status: 'failed', stop: null }
const blocked = { status: 'blocked', stop: null, code: null }
const gone = { status: 'blocked', stop: 'unreachable', code: null }

test.for<[string, Case, unknown, Afterwards | null, object]>([
  ['a failed expectation', check, failed, null, { ...failing, code: 'list.length-wrong' }],
  ['the same after which the server is silent', check, failed, 'silent', gone],
  ['a lost response while others come', check, cut, 'answers', { ...failing, code: 'response.missing' }],
  ['a lost response of a server that can be started again', check, late, 'died', { ...failing, code: 'server.died' }],
  ['a lost response of a server that is silent', check, cut, 'silent', gone],
  ['a failed expectation of an observation', observation, failed, null, { ...blocked, code: 'list.length-wrong' }],
  ['what could not be arranged', check, new CannotArrange('no room'), null, { ...blocked, message: 'no room' }],
  ['a port that another program uses', check, new PortTaken('port 5000 is used'), null, blocked],
  [
    'a command that does not end',
    check,
    new DriverFailed('still runs'),
    null,
    { status: 'error', message: 'still runs' },
  ],
  ['another client', check, new ConcurrentEdit('changed', []), null, { status: 'blocked', stop: 'interference' }],
  ['what the target does not allow', check, new OutOfScope('too few'), null, { status: 'out-of-scope' }],
  ['what does not apply', check, new NotApplicable('no such value'), null, { status: 'not-applicable' }],
  ['a bug of the kit', check, new TypeError('undefined is not a function'), null, { status: 'error' }],
])('%s is classified', ([, judged, threw, afterwards, expected]) => {
  expect(classify(judged, { threw }, afterwards).finding).toMatchObject(expected)
})

test('only a server that hung has stopped answering, since the network can close a connection', () => {
  const stopped = (threw: NoResponse) => classify(check, { threw }, 'silent').stopped
  expect(stopped(late)?.failure?.code).toBe('server.stopped-answering')
  expect(stopped(cut)).toMatchObject({ cause: 'unreachable' })
  expect(stopped(cut)?.failure).toBeUndefined()
})

test('the reason why a check could not be judged is kept with its request', () => {
  const threw = new CannotArrange('the list cannot be read', { cause: failed })
  expect(classify(check, { threw }, null).cause).toBe(failed)
  expect(classify(check, { threw: cut }, 'answers').unanswered).toBe(exchange)
})
