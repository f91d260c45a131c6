import { expectContents, expectEqual, expectStatus } from '../../assertions/expect.ts'
import type { Draft } from '../../model/rule.ts'
import type { Check } from '../../session/check.ts'
import type { Session } from '../../session/session.ts'

/** More than fits into a buffer of 4 KiB, where the server is the kit's own. */
const many = { owned: 60, foreign: 12 }

/** Adds a rule; null where the list is full: then it takes no other rule either. */
async function addOrFull({ plugin, rules }: Session): Promise<Draft | null> {
  const draft = rules.draft()
  const response = await plugin.add(draft)
  if (response.status === 500 && (await plugin.add(rules.draft())).status === 500) return null
  expectStatus(response, 201)
  return draft
}

/** Ordinary requests, in the state that the rest of the run made and with a long list. */
export const ordinaryRequestChecks: readonly Check[] = [
  {
    id: 'CT-883',
    requirement: 'plugin.http.ordinary-requests',
    title: 'Ordinary requests get the documented responses in the whole run',
    // At risk `read` there is nothing to see that the checks of the list do not see.
    risk: 'write',
    concludes: true,
    async run({ hindrance, plugin, rules }) {
      const seen = hindrance()
      if (seen !== null) throw seen
      expectStatus(await plugin.status(), 200)
      await rules.read()
    },
  },
  {
    id: 'CT-885',
    requirement: 'plugin.http.ordinary-requests',
    title: 'GET /api/status gets a response at the end of the run',
    risk: 'read',
    concludes: true,
    reportsSilence: true,
    run: async ({ plugin }) => void (await plugin.status()),
  },
  {
    id: 'CT-884',
    requirement: 'plugin.http.ordinary-requests',
    title: 'GET /api/rules returns every rule after each of many additions and a removal',
    risk: 'write',
    async run(session) {
      const { rules, plugin, owned } = session
      const [first] = await rules.arrange(1)
      for (let count = 0; count < (owned ? many.owned : many.foreign); count += 1) {
        const before = await rules.read()
        const draft = await addOrFull(session)
        if (draft === null) break
        const after = await rules.read()
        const added = rules.find(after, draft)
        expectContents(
          after.filter((rule) => rule !== added),
          before,
        )
        expectStatus(await plugin.status(), 200)
      }
      const { length } = await rules.read()
      expectStatus(await rules.remove(first), 200)
      expectEqual('list.length-wrong', (await rules.read()).length, length - 1)
    },
  },
]
