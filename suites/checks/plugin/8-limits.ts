import {
  expectEqual,
  expectError,
  expectObject,
  expectSameLines,
  expectStatus,
  expectThat,
  expectUnchanged,
  failure,
} from '../../assertions/expect.ts'
import { after, CannotArrange, NotApplicable } from '../../assertions/failure.ts'
import type { HttpResponse } from '../../client/response.ts'
import { loginsOf, type Rule, sameContent } from '../../model/rule.ts'
import { type Filled, NoCapacityFound } from '../../session/fill.ts'
import { expectAddedAt, expectRemoved } from '../../session/list-changes.ts'
import { withoutDirection } from '../../session/rejected-bodies.ts'
import { arranged, requireSuccess } from '../../session/rules.ts'
import type { LaunchedServer, Session } from '../../session/session.ts'
import { expectLoadedIsTotal } from './2-4-status.ts'
import { expectNoInternals } from './7-errors.ts'
import { acceptedWords } from './documented-words.ts'
import { checks, exclusive, serverChecks, writing } from './scopes.ts'

/** Fills the list of the target. */
const filling = { ...exclusive, fills: true } as const

/** Fills the list of a server that the kit starts. */
const fillingOwn = { ...exclusive, needs: ['launch'] } as const

/** The response to the POST that found the list full. */
function errorResponseOf({ errorResponse, count }: Filled): HttpResponse {
  if (errorResponse !== null) return errorResponse
  throw failure('capacity.exceeded', { count, difference: null })
}

/** Judges a server whose list is full. If it never gets full, which other checks judge, there is nothing to judge. */
const whenFull =
  (judge: (session: Session, errorResponse: HttpResponse) => void | Promise<void>) => async (session: Session) =>
    judge(session, await arranged(async () => errorResponseOf(await session.fill())))

/** A full list, and the kit's rule that is nearest to the start or end of it. */
async function ownAtEnd(fill: Session['fill'], side: 'first' | 'last') {
  const filled = await fill()
  errorResponseOf(filled)
  const mine = filled.list.filter((rule) => filled.own.some((draft) => sameContent(draft, rule)))
  const rule = mine.at(side === 'last' ? -1 : 0)
  if (rule === undefined) throw new CannotArrange('the full list shows no rule of the kit')
  return { before: filled.list, rule }
}

/** A rejected POST must not use up capacity. Other checks judge the responses. */
async function sendRejected({ plugin, rules }: LaunchedServer): Promise<void> {
  for (const body of [withoutDirection(rules.draft()), { ...rules.draft(), value: 0 }]) await plugin.add(body)
}

/** Clause 8: the capacity and the default port. */
export const limitChecks = [
  ...checks(filling, 'plugin.errors.no-internals', {
    'CT-917 The error response to POST to a full list has no path of a file and no address in memory': whenFull(
      (_, errorResponse) => expectNoInternals(errorResponse),
    ),
  }),
  ...checks(filling, 'plugin.capacity.answers-500', {
    'CT-901 Each of five POSTs to a full list returns 500 with { error: string } and leaves the list unchanged':
      async ({ fill, plugin, rules }) => {
        const filled = await fill({ judgesRejections: true })
        const first = errorResponseOf(filled)
        for (const words of [null, ...acceptedWords.slice(1)]) {
          const response = words === null ? first : await plugin.add({ ...rules.unused(filled.list), ...words })
          expectStatus(response, 500)
          expectError(response)
        }
        // A server may reject a duplicate with another status.
        for (const known of filled.own.slice(-1)) await plugin.add(known)
        expectUnchanged(await rules.read(), filled.list)
      },
  }),
  ...checks(filling, 'plugin.capacity.lists-all', {
    'CT-905 GET /api/rules of a full list shows every acknowledged rule and the correct total': async (session) => {
      const { fill, plugin } = session
      // Fails unless the list shows every acknowledged rule.
      const { count } = await fill()
      expectEqual('list.total-wrong', expectObject(await plugin.list()).total, count)
    },
  }),
  ...checks(filling, 'plugin.capacity.room-after-delete', {
    'CT-906 After DELETE of the first or last added rule of a full list, one POST is accepted and the next returns 500':
      async ({ fill, plugin, rules }) => {
        for (const side of ['last', 'first'] as const) {
          const { before, rule } = await ownAtEnd(fill, side)
          await rules.remove(rule)
          await after(`DELETE of the ${side} rule`, async () => {
            const list = await rules.read()
            expectRemoved(list, before, rule)
            const draft = rules.unused(list)
            expectStatus(await plugin.add(draft), 201)
            expectStatus(await plugin.add(rules.unused([...list, draft])), 500)
          })
        }
      },
  }),
  ...checks(filling, 'plugin.status.rules-loaded-is-total', {
    'CT-918 GET /api/status returns rules_loaded equal to the total after a POST to a full list': whenFull(
      async ({ plugin, rules }) => {
        await plugin.add(rules.draft())
        await expectLoadedIsTotal(plugin)
      },
    ),
  }),
  ...checks(filling, 'plugin.auth.changes-need-key', {
    'CT-908 POST without a key returns 401 when the list is full': whenFull(async ({ plugin, rules }) =>
      expectStatus(await plugin.add(rules.draft(), { key: null }), 401),
    ),
  }),
  ...checks(filling, 'plugin.auth.reads-need-key', {
    'CT-916 GET without a key returns 401 when the list is full': whenFull(async ({ plugin }) => {
      expectStatus(await plugin.list({ key: null }), 401)
      expectStatus(await plugin.status({ key: null }), 401)
    }),
  }),
  ...checks({ ...filling, needs: ['stated-capacity'] }, 'plugin.capacity.exact', {
    'CT-909 The list is full at exactly the stated capacity': async ({ fill, capacity }) => {
      const { count } = await fill()
      expectEqual('capacity.not-as-stated', count, capacity)
    },
  }),
  ...checks(filling, 'plugin.add.index-of-new-rule', {
    'CT-910 The rule that fills the list is listed at the index that its POST returned': async (session) => {
      const { fill, plugin, rules } = session
      const { before, rule } = await arranged(() => ownAtEnd(fill, 'last'))
      await rules.remove(rule)
      const draft = rules.unused(before)
      const response = await plugin.add(draft)
      requireSuccess('POST after DELETE', response)
      expectAddedAt(await rules.read(), draft, expectObject(response).index)
    },
  }),
  ...serverChecks({ ...exclusive, needs: ['restart'] }, 'plugin.capacity.survives-restart', {
    'CT-911 A full list has the same rules and is still full after a restart, and a DELETE survives another restart':
      async (server, { fillServer }) => {
        const { plugin, rules, restart } = server
        const { list, own } = await fillServer(server)
        // Their order and the rest of their content belong to other requirements.
        const expectKept = async (kept: readonly Rule[]) => {
          await restart()
          expectSameLines('list.changed-after-restart', (await rules.read()).map(loginsOf), kept.map(loginsOf))
        }
        await expectKept(list)
        expectStatus(await plugin.add(rules.unused(list)), 500)
        for (const rule of own.slice(0, 1)) {
          await rules.remove(rule)
          const draft = rules.unused(list)
          await after('DELETE', async () => expectStatus(await plugin.add(draft), 201))
          expectStatus(await plugin.add(rule), 500)
          await rules.remove(draft)
        }
        const left = await rules.read()
        await after('DELETE', () => expectKept(left))
      },
  }),
  ...serverChecks(fillingOwn, 'plugin.capacity.room-after-delete', {
    'CT-912 After DELETE of any rule of a full list and rejected POSTs, one POST is accepted and the next returns 500':
      async (server, { fillServer }) => {
        const { plugin, rules } = server
        for (const [name, place] of Object.entries({ last: 1, first: 0, middle: 0.5 })) {
          const { list } = await fillServer(server)
          await sendRejected(server)
          const rule = list[Math.floor(place * (list.length - 1))] ?? rules.find(list, rules.draft())
          await plugin.remove(rule.index)
          const left = await rules.read()
          await after(`DELETE of the ${name} rule, #${rule.index}`, () => expectRemoved(left, list, rule))
          await sendRejected(server)
          const draft = rules.unused(left)
          expectStatus(await plugin.add(draft), 201)
          expectStatus(await plugin.add(rules.unused([...left, draft])), 500)
        }
      },
  }),
  ...serverChecks(fillingOwn, 'plugin.delete.index-past-end', {
    'CT-914 DELETE with the index right after the last rule of a full list returns 404 and removes nothing': async (
      server,
      { fillServer },
    ) => {
      const { list } = await fillServer(server)
      expectStatus(await server.plugin.remove((list.at(-1)?.index ?? 0) + 1), 404)
      expectUnchanged(await server.rules.read(), list)
    },
  }),
  ...checks(filling, 'plugin.add.leaves-others', {
    'CT-915 Each POST that is acknowledged while the list is filled adds exactly that rule': async ({ fill }) => {
      try {
        await fill()
      } catch (error) {
        // Every rule up to the maximum was added correctly.
        if (!(error instanceof NoCapacityFound)) throw error
      }
    },
  }),
  ...checks({ ...writing, needs: ['launch', 'port'], alone: true }, 'plugin.limits.default-port', {
    'CT-921 A server that is started without API_Port responds on port 8443': async ({ prepare }) => {
      const withPortParameter = await prepare({ port: 'parameter' })
      // A server that gets its port in another way shows nothing about its default.
      if (!(await withPortParameter.tryStart())) {
        throw new NotApplicable('the server does not take its port from `API_Port` where `TCK_PORT` is missing')
      }
      const server = await prepare({ port: 'default' })
      expectThat(await server.tryStart('ready'), 'server.silent-on-default-port', { difference: null })
      expectStatus(await server.plugin.status(), 200)
    },
  }),
]
