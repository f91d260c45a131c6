import { expectErrorResponse, expectStatus, expectThat } from '../../assertions/expect.ts'
import { after } from '../../assertions/failure.ts'
import type { HttpResponse } from '../../client/response.ts'
import type { Login, Rule } from '../../model/rule.ts'
import { requestForms } from '../../session/http-forms.ts'
import {
  expectAccepted,
  expectKeyNeeded,
  reads,
  unauthenticated,
  withoutKey,
  writes,
} from '../../session/operations.ts'
import type { RequestOverrides } from '../../session/plugin.ts'
import { expectRejectedOrClosed, lastOne, rawRequest } from '../../session/raw-request.ts'
import type { Session } from '../../session/session.ts'
import { additionAndRemoval, judgeEach, sendChanges } from '../../session/shared-requests.ts'
import { bearerHeader } from '../../session/wrong-keys.ts'
import { checks, judgingResponses, reading, writing } from './scopes.ts'

const asHeader = (): RequestOverrides => ({ as: 'x-api-key' })
const asBearer = ({ key }: Session): RequestOverrides => ({ key: null, headers: bearerHeader(key) })
const asBoth = ({ key }: Session): RequestOverrides => ({ headers: bearerHeader(key) })

const changes = (where: string, place: (session: Session) => RequestOverrides) => (session: Session) =>
  judgeEach(sendChanges(session, { ...additionAndRemoval, shares: where }, place(session)), ({ request, response }) =>
    expectStatus(response, request.method === 'POST' ? 201 : 200),
  )

/** A single or short number may be in an error text by chance, but not both logins of a rule as whole numbers. */
function expectNoRuleShown(response: HttpResponse, list: readonly Rule[]): void {
  const numbers = new Set(response.text.match(/\d{4,}/g))
  const has = (login: Login) => numbers.has(`${login}`)
  const shown = list.some(({ master, follower }) => master !== follower && has(master) && has(follower))
  const { rules } = (response.json ?? {}) as { readonly rules?: unknown }
  const hasList = Array.isArray(rules) && rules.length > 0
  expectThat(!shown && !hasList, 'response.shows-rules', { difference: null, response })
}

async function expectKeyNeededInAnyForm(session: Session): Promise<void> {
  const { address } = session
  const request = rawRequest(address, ['GET', '/api/rules'], [...lastOne, '', ''])
  for (const [what, form] of Object.entries(requestForms)) {
    await after(`GET with ${what} without the key`, () => expectRejectedOrClosed(session, form(request, address)))
  }
}

/** Clause 5: the correct key is accepted in either header; a missing or wrong one is not. */
export const rightKeyChecks = [
  ...checks(reading, 'plugin.auth.x-api-key', {
    'CT-701 GET requests succeed with the key in X-API-Key': (session) => expectAccepted(session, reads, asHeader()),
  }),
  ...checks(judgingResponses, 'plugin.auth.x-api-key', {
    'CT-702 POST and DELETE with the key in X-API-Key add and remove a rule': changes('X-API-Key', asHeader),
  }),
  ...checks(reading, 'plugin.auth.bearer', {
    'CT-703 GET requests succeed with the key in Authorization: Bearer': (session) =>
      expectAccepted(session, reads, asBearer(session)),
  }),
  ...checks(judgingResponses, 'plugin.auth.bearer', {
    'CT-704 POST and DELETE with the key in Authorization: Bearer add and remove a rule': changes('Bearer', asBearer),
  }),
  ...checks(reading, 'plugin.auth.both-headers', {
    'CT-705 GET requests succeed with the key in both headers': (session) =>
      expectAccepted(session, reads, asBoth(session)),
  }),
  ...checks(reading, 'plugin.auth.header-name-case', {
    'CT-706 GET /api/status accepts the names of both key headers in any case': async ({ plugin, key }) => {
      const { Authorization } = bearerHeader(key)
      const sent = [
        ...['x-aPI-kEY', 'x-api-key', 'X-API-KEY'].map((name) => ({ [name]: key })),
        ...['aUTHORIZATION', 'authorization', 'AUTHORIZATION'].map((name) => ({ [name]: Authorization })),
      ]
      for (const headers of sent) {
        await after(`the name ${Object.keys(headers)[0]}`, async () =>
          expectStatus(await plugin.status({ key: null, headers }), 200),
        )
      }
    },
  }),
  ...checks(judgingResponses, 'plugin.auth.both-headers', {
    'CT-707 POST and DELETE with the key in both headers add and remove a rule': changes('both headers', asBoth),
  }),
  ...checks(reading, 'plugin.auth.reads-need-key', {
    'CT-711 GET and HEAD without the key, with any headers and spelling of the path, are rejected and disclose no rule':
      async (session) => {
        for (const name of reads) await expectKeyNeeded(session, name, unauthenticated)
        for (const path of ['/api/status', '/api/rules']) {
          const response = await session.plugin.send({ method: 'HEAD', path, ...withoutKey })
          await after(`HEAD ${path} without the key`, () => expectErrorResponse(response))
        }
        await expectKeyNeededInAnyForm(session)
        expectNoRuleShown(await session.plugin.list(withoutKey), await session.rules.read())
      },
  }),
  ...checks(writing, 'plugin.auth.changes-need-key', {
    'CT-713 POST and DELETE of rules without the key, with any headers and any spelling of the path, change nothing':
      async (session) => {
        for (const name of writes) await expectKeyNeeded(session, name, unauthenticated)
      },
  }),
]
