import { expectUnchanged } from '../../assertions/expect.ts'
import { after } from '../../assertions/failure.ts'
import { type Check, checks } from '../../session/check.ts'
import { describeRequest, mayChangeList, noOpRequests } from '../../session/no-op-requests.ts'
import type { PluginRequest } from '../../session/plugin.ts'
import { requestsToReject } from '../../session/rejected-requests.ts'
import type { Session } from '../../session/session.ts'
import { writing } from './scopes.ts'

/** Sends each request, and compares the list after each one that must not change it. */
async function expectNoChange({ plugin, rules }: Session, requests: readonly PluginRequest[]): Promise<void> {
  let before = await rules.read()
  for (const request of requests) {
    const response = await plugin.send(request)
    const [list, expected] = [await rules.read(), before]
    // Other checks judge whether such a request may succeed.
    const mayHaveChanged = mayChangeList(request) && response.status < 400
    const expectSame = async () => expectUnchanged(list, expected, 'list.changed-unrequested')
    if (!mayHaveChanged) await after(describeRequest(request), expectSame)
    before = list
  }
}

/** Clauses 4.2 and 7: a request changes nothing if it asks for no change or gets an error. */
export const unrequestedChangeChecks: readonly Check[] = [
  ...checks({ ...writing, concludes: true, tolerates: ['rejection'] }, 'plugin.list.unrequested-change', {
    'CT-881 GET, HEAD, OPTIONS and requests with an error response, a wrong method or a wrong path change no rule':
      async (session) => {
        await session.rules.read()
        session.throwSeen('unrequestedChange')
        const [, rule] = await session.rules.arrange(2)
        const { draft } = session.rules
        await expectNoChange(session, [...requestsToReject(rule, draft), ...noOpRequests(rule, draft)])
      },
  }),
]
