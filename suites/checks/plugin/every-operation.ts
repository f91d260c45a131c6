import {
  expectBooleanSuccess,
  expectError,
  expectErrorResponse,
  expectExactStatus,
  expectObject,
  expectStatus,
  expectUnchanged,
} from '../../assertions/expect.ts'
import { after } from '../../assertions/failure.ts'
import type { HttpResponse } from '../../client/response.ts'
import type { Draft, Rule } from '../../model/rule.ts'
import { expectAdded, expectAddedAt, expectRemoved } from '../../session/list-changes.ts'
import { type RejectedRequest, rejectedRequests, situationIn } from '../../session/rejected-requests.ts'
import { rulesIn } from '../../session/rules.ts'
import type { LaunchedServer } from '../../session/session.ts'
import { expectForms, expectPositions } from './2-3-rules.ts'
import { expectDocumentedStatus } from './2-4-status.ts'
import { expectCreated } from './4-2-add-rule.ts'
import { expectTotal } from './4-2-list.ts'
import { acceptedWords } from './documented-words.ts'

/** A server that only the kit changes. */
type OwnServer = Pick<LaunchedServer, 'plugin' | 'rules'>

/** Judges every kind of request, and the list after each. The first and last rule are removed, and one is added. */
export async function expectEveryOperation(server: OwnServer): Promise<void> {
  const before = await readConsistent(server)
  for (const request of rejectedRequests) await expectRejected(server, request, before)
  await after('the rejected requests', async () => expectUnchanged(await server.rules.read(), before))
  for (const changes of acceptedWords) {
    const words = `${changes.mode} and ${changes.direction}`
    const rule = await after(`POST with ${words}`, () => expectAccepted(server, server.rules.draft(changes), before))
    await after(`DELETE of a rule with ${words}`, () => expectRemovable(server, rule))
  }
  // The last one first, so that the index of the first one does not change.
  for (const rule of new Set([...before.slice(-1), ...before.slice(0, 1)])) {
    await after(`DELETE of rule ${rule.index}`, () => expectRemovable(server, rule))
  }
  const rest = await after('the last DELETE', () => readConsistent(server))
  await after('the last POST', () => expectAccepted(server, server.rules.draft(), rest))
}

/** After each kind of rejected request, a rule can be added and removed again. */
export async function expectChangesAfterRejection(server: OwnServer): Promise<void> {
  for (const request of rejectedRequests) {
    const before = await server.rules.read()
    await expectRejected(server, request, before)
    await after(request.what, async () => {
      await expectRemovable(server, await expectAccepted(server, server.rules.draft(), before))
    })
  }
}

async function readConsistent({ plugin }: OwnServer): Promise<readonly Rule[]> {
  expectDocumentedStatus(await plugin.status())
  return consistentList(await plugin.list())
}

function consistentList(response: HttpResponse): readonly Rule[] {
  const list = rulesIn(response)
  expectTotal(response)
  expectForms(list)
  expectPositions(list)
  return list
}

async function expectRejected(
  { plugin, rules }: OwnServer,
  { what, request, status, needsRule }: RejectedRequest,
  before: readonly Rule[],
): Promise<void> {
  const draft = rules.draft()
  await after(what, async () => {
    const response = await plugin.send(request(situationIn(before, () => draft)))
    if (status === null || (needsRule && before.length === 0)) expectErrorResponse(response)
    else expectStatus(response, status)
    expectError(response)
  })
}

async function expectAccepted(server: OwnServer, draft: Draft, before: readonly Rule[]): Promise<Rule> {
  const response = await server.plugin.add(draft)
  expectCreated(response, draft)
  const list = consistentList(await server.plugin.list())
  expectAddedAt(list, draft, expectObject(response).index)
  return expectAdded(list, before, draft)
}

async function expectRemovable(server: OwnServer, rule: Rule): Promise<void> {
  const before = await server.rules.read()
  const response = await server.plugin.remove(rule.index)
  expectExactStatus(response, 200)
  expectBooleanSuccess(response)
  expectRemoved(consistentList(await server.plugin.list()), before, rule)
}
