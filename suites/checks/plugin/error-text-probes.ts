import type { PluginErrorKindId } from '../../../spec/plugin/error-kinds.ts'
import { errorTextIn } from '../../assertions/error-text.ts'
import { type ExpectedStatus, expectStatus } from '../../assertions/expect.ts'
import { OutOfScope } from '../../assertions/failure.ts'
import type { HttpResponse } from '../../client/response.ts'
import type { ErrorTextProbe, ObservedAnswer } from '../../session/check.ts'
import type { Session } from '../../session/session.ts'

type Ask = (session: Session) => Promise<HttpResponse>

/** The error text in the response to a request, if it has the expected status. */
async function textOf(
  session: Session,
  { about, status, ask }: Pick<RejectedRequest, 'about' | 'status' | 'ask'>,
): Promise<ObservedAnswer> {
  const response = await ask(session)
  expectStatus(response, status)
  const text = errorTextIn(response, about)
  return text === null ? { answer: null, seen: 'the response has no error text' } : { answer: text, seen: '' }
}

/** Adds a rule with these changes; `undefined` leaves a field out. */
function addWith(changes: Readonly<Record<string, unknown>>): Ask {
  return ({ plugin, rules }) => plugin.add({ ...rules.draft(), ...changes })
}

function sendBody(body: string): Ask {
  return ({ plugin }) => plugin.send({ method: 'POST', path: '/api/rules', body })
}

interface RejectedRequest {
  readonly id: string
  readonly about: PluginErrorKindId
  readonly title: string
  readonly status: ExpectedStatus
  readonly ask: Ask
}

const reads: readonly RejectedRequest[] = [
  {
    id: 'CW-001',
    about: 'unauthorized',
    title: 'GET /api/status without a key returns the error text for a missing key',
    status: 401,
    ask: ({ plugin }) => plugin.status({ key: null }),
  },
  {
    id: 'CW-002',
    about: 'unknown-endpoint',
    title: 'GET of an unknown path returns the error text for an unknown endpoint',
    status: 404,
    ask: ({ plugin }) => plugin.send({ method: 'GET', path: '/api/unknown' }),
  },
]

const writes: readonly RejectedRequest[] = [
  {
    id: 'CW-003',
    about: 'invalid-index',
    title: 'DELETE with an index far past the end returns the error text for an invalid index',
    status: 404,
    ask: ({ plugin }) => plugin.remove(999_999_999),
  },
  {
    id: 'CW-004',
    about: 'method-not-allowed',
    title: 'PUT /api/status returns the error text for a method that is not allowed',
    status: 405,
    ask: ({ plugin }) => plugin.send({ method: 'PUT', path: '/api/status' }),
  },
  {
    id: 'CW-005',
    about: 'invalid-json',
    title: 'POST with truncated JSON returns the error text for invalid JSON',
    status: 400,
    ask: sendBody('{"master":'),
  },
  {
    id: 'CW-006',
    about: 'no-object',
    title: 'POST with the body [] returns the error text for a body that is not an object',
    status: 400,
    ask: sendBody('[]'),
  },
  {
    id: 'CW-007',
    about: 'missing-field',
    title: 'POST without master returns the error text for a missing field',
    status: 400,
    ask: addWith({ master: undefined }),
  },
  {
    id: 'CW-008',
    about: 'login-no-integer',
    title: 'POST with a string as master returns the error text for a login that is not an integer',
    status: 400,
    ask: addWith({ master: 'x' }),
  },
  {
    id: 'CW-015',
    about: 'login-fractional',
    title: 'POST with master 1.5 returns the error text for a login with a fraction',
    status: 400,
    ask: addWith({ master: 1.5 }),
  },
  {
    id: 'CW-009',
    about: 'mode-unknown',
    title: 'POST with mode x returns the error text for an unknown mode',
    status: 400,
    ask: addWith({ mode: 'x' }),
  },
  {
    id: 'CW-010',
    about: 'value-no-number',
    title: 'POST with a string as value returns the error text for a value that is not a number',
    status: 400,
    ask: addWith({ value: 'x' }),
  },
  {
    id: 'CW-011',
    about: 'value-not-positive',
    title: 'POST with value 0 returns the error text for a value that is not positive',
    status: 400,
    ask: addWith({ value: 0 }),
  },
  {
    id: 'CW-012',
    about: 'direction-unknown',
    title: 'POST with direction x returns the error text for an unknown direction',
    status: 400,
    ask: addWith({ direction: 'x' }),
  },
]

function probeFor(rejected: RejectedRequest, risk: 'read' | 'write'): ErrorTextProbe {
  const { id, about, title } = rejected
  return { id, about, title, risk, run: (session) => textOf(session, rejected) }
}

/** What a profile contains besides the answers to questions. */
export const errorTextProbes: readonly ErrorTextProbe[] = [
  ...reads.map((rejected) => probeFor(rejected, 'read')),
  ...writes.map((rejected) => probeFor(rejected, 'write')),
  {
    id: 'CW-013',
    about: 'capacity-reached',
    title: 'POST to a full list returns the error text for a reached capacity',
    risk: 'exclusive',
    fills: true,
    async run(session) {
      const { errorResponse } = await session.fill()
      if (errorResponse === null) throw new OutOfScope('the list takes more rules than the stated capacity')
      return textOf(session, { about: 'capacity-reached', status: 500, ask: async () => errorResponse })
    },
  },
  {
    id: 'CW-014',
    about: 'capacity',
    title: 'Filling the list shows the capacity',
    risk: 'exclusive',
    fills: true,
    async run({ fill }) {
      const { count, errorResponse } = await fill()
      const full = errorResponse?.status === 500
      return { answer: full ? String(count) : null, seen: full ? '' : `with ${count} rules it is still not full` }
    },
  },
]
