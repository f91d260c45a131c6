import { expectUnchanged } from '../../assertions/expect.ts'
import { after } from '../../assertions/failure.ts'
import { rulesIn } from '../../session/rules.ts'
import type { SharedExchange } from '../../session/session.ts'
import { describeRequest, mayChangeList, sharesWrites, writesToReject } from '../../session/shared-requests.ts'
import { checks, writing } from './scopes.ts'

/** The lists before and after a request are the same if it must change nothing. */
async function expectNoChange({ request, response, lists }: SharedExchange): Promise<void> {
  const [before, list] = lists.map(rulesIn)
  if (before === undefined || list === undefined) throw new Error('the list was not read')
  // Other checks judge whether such a request may succeed.
  if (mayChangeList(request) && response.status < 400) return
  await after(describeRequest(request), async () => expectUnchanged(list, before, 'list.changed-unrequested'))
}

/** Clauses 4.2 and 7: a request changes nothing if it asks for no change or gets an error. */
export const unrequestedChangeChecks = [
  ...checks(
    { ...writing, ...sharesWrites, concludes: true, tolerates: ['rejection'] },
    'plugin.list.unrequested-change',
    {
      'CT-881 GET, HEAD, OPTIONS and requests with an error response, a wrong method or a wrong path change no rule':
        async (session) => {
          await session.rules.read()
          session.throwSeen('unrequestedChange')
          for await (const exchange of writesToReject(session, true)) await expectNoChange(exchange)
        },
    },
  ),
]
