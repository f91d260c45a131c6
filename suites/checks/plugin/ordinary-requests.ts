import { expectContents, expectEqual, expectExactly, expectExactStatus, expectThat } from '../../assertions/expect.ts'
import { after } from '../../assertions/failure.ts'
import type { HttpResponse } from '../../client/response.ts'
import type { Draft } from '../../model/rule.ts'
import { toJson } from '../../session/plugin.ts'
import { get, post, responseOrClosed } from '../../session/raw-request.ts'
import { brokenBodies, withField } from '../../session/rejected-bodies.ts'
import { requireRemoved, rulesIn } from '../../session/rules.ts'
import type { Session } from '../../session/session.ts'
import { anyResponse, checks, ownServer, reading, serverChecks, writing } from './scopes.ts'

/** More than a buffer of 4 KiB can hold, on a server that the kit starts. */
const many = { owned: 60, foreign: 12 }

/** Valid JSON numbers beyond the range of a double or of a 32-bit float. A server may accept or reject them. */
const extremeNumerals = ['1e400', '-1e400', '1e-400', '1e309', '1e-46']

const numerals = /(?<="value"\s*:\s*)[^\s,}]+/g
const zero = /^-?0(\.0+)?(e[+-]?\d+)?$/i

/** The values in the text of a list that are parsed as 0 but are not, such as 1e-400. */
function tinyValues({ text }: HttpResponse): string[] {
  return (text.match(numerals) ?? []).filter((numeral) => Number(numeral) === 0 && !zero.test(numeral))
}

async function addUnlessFull({ plugin, rules }: Session): Promise<Draft | null> {
  const draft = rules.draft()
  const response = await plugin.add(draft)
  if (response.status === 500 && (await plugin.add(rules.draft())).status === 500) return null
  expectExactStatus(response, 201)
  return draft
}

/** Ordinary requests, on the list that the rest of the run leaves and on a long one. */
export const ordinaryRequestChecks = [
  ...checks({ ...writing, concludes: true }, 'plugin.http.ordinary-requests', {
    // At risk `read`, the checks of the list already cover this.
    'CT-883 Ordinary requests get the documented responses in the whole run': async ({ throwSeen, rules }) => {
      throwSeen('blockingFailure')
      await rules.read()
    },
  }),
  ...checks({ ...reading, concludes: true, reportsSilence: true }, 'plugin.http.ordinary-requests', {
    'CT-885 GET /api/status returns 200 at the end of the run': async ({ plugin }) =>
      expectExactStatus(await plugin.status(), 200),
  }),
  ...serverChecks({ ...ownServer, tolerates: anyResponse }, 'plugin.http.ordinary-requests', {
    'CT-886 GET /api/rules returns 200 and values above 0 after POST with a value like 1e400 or 1e-400': async (
      server,
    ) => {
      const { plugin, rules } = server
      await rules.arrange(1)
      for (const numeral of extremeNumerals) {
        for (const field of ['value', 'master', 'follower'] as const) {
          const body = withField(toJson(rules.draft()), field, numeral)
          await after(`POST with ${numeral} as ${field}`, async () => {
            await responseOrClosed(plugin.addText(body))
            const response = await plugin.list()
            const tiny = tinyValues(response)
            for (const rule of rulesIn(response)) {
              const sound =
                rule.value === 0 ? tiny.pop() !== undefined : typeof rule.value === 'number' && rule.value > 0
              expectThat(sound, 'rule.value-not-positive', { actual: rule })
            }
          })
        }
      }
    },
  }),
  ...checks({ ...writing, tolerates: ['end of connection', 'rejection'] }, 'plugin.http.ordinary-requests', {
    'CT-887 POST and GET succeed after POST with invalid JSON on the same connection': async (session) => {
      const { raw, rules } = session
      for (const body of [...brokenBodies, '']) {
        const draft = rules.draft()
        const wrong = post(session, body)
        const requests = [wrong, get(session, '/api/status'), wrong, post(session, toJson(draft))]
        const bytes = [...requests, get(session, '/api/rules')]
        const [, status, , ...responses] = (await raw({ bytes, responses: bytes.length })).responses
        // A body that was left unread begins the next request. CT-952 judges that at a lower level.
        if (status?.status !== 200) continue
        // The server may close the connection after any response.
        const statuses = responses.map((response) => response.status)
        expectExactly('responses.statuses-wrong', statuses, [201, 200].slice(0, statuses.length))
        const [, list] = responses
        if (list !== undefined) rules.find(rulesIn(list), draft)
      }
    },
  }),
  ...checks(writing, 'plugin.http.ordinary-requests', {
    'CT-884 GET /api/rules returns every rule after each of many additions and a removal': async (session) => {
      const { rules, plugin, owned } = session
      const [first] = await rules.arrange(1)
      for (let count = 0; count < (owned ? many.owned : many.foreign); count += 1) {
        const before = await rules.read()
        const draft = await addUnlessFull(session)
        if (draft === null) break
        const list = await rules.read()
        const added = rules.find(list, draft)
        const others = list.filter((rule) => rule !== added)
        expectContents(others, before)
        expectExactStatus(await plugin.status(), 200)
      }
      const { length } = await rules.read()
      requireRemoved(first, await rules.sendRemoval(first))
      expectEqual('list.length-wrong', (await rules.read()).length, length - 1)
    },
  }),
]
