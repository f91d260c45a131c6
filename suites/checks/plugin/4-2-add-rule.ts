import {
  expectBooleanSuccess,
  expectEqual,
  expectExactStatus,
  expectObject,
  expectStatus,
  expectSuccess,
  expectThat,
} from '../../assertions/expect.ts'
import { after, CannotArrange } from '../../assertions/failure.ts'
import type { HttpResponse } from '../../client/response.ts'
import type { Draft } from '../../model/rule.ts'
import { expectAdded, expectAddedAt } from '../../session/list-changes.ts'
import { succeed } from '../../session/operations.ts'
import { toJson } from '../../session/plugin.ts'
import { postInChunks, responseTo } from '../../session/raw-request.ts'
import { withField } from '../../session/rejected-bodies.ts'
import { post } from '../../session/rejected-requests.ts'
import { isAccepted, requireRemoved, requireSuccess } from '../../session/rules.ts'
import {
  additionAndRemoval,
  around,
  draftIn,
  eightAdditions,
  judgeChanges,
  judgeEach,
  sendOnce,
} from '../../session/shared-requests.ts'
import { acceptedWords, addedWith } from './documented-words.ts'
import { checks, judgingResponses, ownServer, writing } from './scopes.ts'

const spellings: Readonly<Record<string, (json: string) => string>> = {
  'fields in reverse order': reverseFields,
  'spaces around each bracket, colon and comma': surround(' '),
  'tabs around each bracket, colon and comma': surround('\t'),
  // The length of a usual buffer. If the last byte is lost, it is the brace.
  'tabs in front up to 1,024 bytes': (json) => json.padStart(1_024, '\t'),
  'line feeds around each bracket, colon and comma': surround('\n'),
  'carriage returns around each bracket, colon and comma': surround('\r'),
  'an escaped letter in a string': (json) => json.replace(/(?<=")[sr](?=(?:ame|everse)")/, escapeOf),
  'an escaped letter in a name': (json) => json.replace('"master"', '"m\\u0061ster"'),
  'an escape with a digit in upper case': (json) => json.replace('"master"', '"\\u006Daster"'),
  'value 1.50': (json) => withField(json, 'value', '1.50'),
  'value 15e-1': (json) => withField(json, 'value', '15e-1'),
  'value 0.15E+1': (json) => withField(json, 'value', '0.15E+1'),
}

export function reverseFields(json: string): string {
  const fields = Object.entries(JSON.parse(json) as Record<string, unknown>)
  return JSON.stringify(Object.fromEntries(fields.reverse()))
}

function surround(space: string): (json: string) => string {
  return (json) => json.replace(/[{}:,]/g, (character) => space + character + space)
}

export const escapeOf = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The response to a valid POST is as documented. */
export function expectCreated(response: HttpResponse, draft: Draft): void {
  expectExactStatus(response, 201)
  expectBooleanSuccess(response)
  const { index } = expectObject(response)
  expectThat(Number.isInteger(index), 'add.index-not-integer', { actual: index })
  expectLogins(response, draft)
}

export function expectLogins(response: HttpResponse, draft: Draft): void {
  const { master, follower } = expectObject(response)
  expectEqual('add.logins-wrong', { master, follower }, { master: draft.master, follower: draft.follower })
}

/** Clause 4.2: POST /api/rules with a valid body. */
export const addRuleChecks = [
  ...checks(judgingResponses, 'plugin.add.created', {
    'CT-401 POST of a valid rule returns 201 with a boolean success, an integer index and the logins that were sent':
      async ({ plugin, rules }) => {
        const draft = rules.draft()
        expectCreated(await plugin.add(draft), draft)
      },
    'CT-402 POST of a rule of either mode with the value 0.01 or 1,000,000 returns 201': async ({ plugin, rules }) => {
      for (const mode of ['mult', 'multiplier', 'fixed'] as const) {
        for (const value of [0.01, 1_000_000]) {
          const draft = rules.draft({ mode, value })
          await after(`POST with mode ${mode} and value ${value}`, async () =>
            expectExactStatus(await plugin.add(draft), 201),
          )
          // A nearly full list may have no place for all of them.
          await rules.clear([draft])
        }
      }
    },
  }),
  ...checks({ ...judgingResponses, shares: additionAndRemoval.shares }, 'plugin.success-is-true', {
    'CT-419 POST of a valid rule and DELETE of a rule return success: true': judgeChanges(
      additionAndRemoval,
      ({ response }) => expectSuccess(response),
    ),
  }),
  ...checks({ ...writing, concludes: true }, 'plugin.success-is-true', {
    'CT-423 No successful response to POST or DELETE of the run has success: false': async (session) => {
      await succeed(session, 'list')
      session.throwSeen('unsuccessfulChange')
    },
  }),
  ...checks({ ...ownServer, tolerates: ['no effect'] }, 'plugin.success-is-true', {
    'CT-420 POST to an empty list and DELETE of the only rule return success: true': async ({ launch }) => {
      const { plugin, rules } = await launch({ list: 'fresh' })
      const draft = rules.draft()
      expectSuccess(await plugin.add(draft))
      expectSuccess(await rules.sendRemoval(draft))
    },
  }),
  ...checks(writing, 'plugin.add.index-of-new-rule', {
    'CT-406 A rule that is added after DELETE of a middle rule is listed at the index that its POST returned': async ({
      plugin,
      rules,
    }) => {
      const [, middle] = await rules.arrange(3)
      // A read in between would hide a cached list.
      const removal = await rules.sendRemoval(middle)
      const draft = rules.draft()
      const response = await plugin.add(draft)
      requireSuccess('POST after DELETE', response)
      const list = await rules.read()
      expectAddedAt(list, draft, expectObject(response).index)
      requireRemoved(middle, removal, list)
    },
    'CT-4073 An accepted POST with an extra field index returns the index at which the rule is listed': async ({
      plugin,
      rules,
    }) => {
      const [first] = await rules.arrange(2)
      const before = await rules.read()
      const draft = rules.draft()
      const response = await plugin.add({ ...draft, index: first.index })
      // Whether unknown fields are accepted is a question.
      if (!isAccepted(response)) return
      const list = await rules.read()
      expectAdded(list, before, draft)
      expectAddedAt(list, draft, expectObject(response).index)
    },
  }),
  ...checks({ ...writing, shares: eightAdditions.shares }, 'plugin.add.leaves-others', {
    'CT-407 Each of eight POSTs adds one rule and keeps all other rules and their order': judgeChanges(
      eightAdditions,
      (exchange) => {
        const { before, list } = around(exchange)
        expectAdded(list, before, draftIn(exchange))
      },
    ),
  }),
  ...checks(writing, 'plugin.add.leaves-others', {
    'CT-4072 POST of a rule that was removed before adds exactly one rule again': async ({ rules }) => {
      const draft = rules.draft()
      const [, removed] = await rules.arrange([rules.draft(), draft])
      await rules.remove(removed)
      const before = await rules.read()
      await rules.add(draft)
      expectAdded(await rules.read(), before, draft)
    },
    'CT-4071 An accepted POST with a body in many chunks adds exactly one rule': async (session) => {
      const { rules } = session
      const draft = rules.draft()
      const before = await rules.read()
      const response = await responseTo(session, postInChunks(session, toJson(draft).split('')))
      if (response === undefined) throw new CannotArrange('the POST with many chunks got no response')
      // Whether chunks are accepted is judged by other checks.
      if (isAccepted(response)) expectAdded(await rules.read(), before, draft)
    },
  }),
  ...checks(judgingResponses, 'plugin.add.documented-words', {
    'CT-408 POST of a rule returns 201 with every documented mode and direction': async (session) => {
      for (const words of acceptedWords) {
        const exchanges = sendOnce(session, addedWith(words), false, async function* ({ draft, clear }) {
          const rule = draft(words)
          yield post(toJson(rule))
          await clear([rule])
        })
        await judgeEach(exchanges, ({ response }) => after(addedWith(words), () => expectStatus(response, 201)))
      }
    },
  }),
  ...checks(writing, 'plugin.add.any-json-spelling', {
    'CT-413 POST of a rule is accepted with any field order, white space, escapes and number notation in the JSON':
      async ({ plugin, rules }) => {
        for (const [what, respell] of Object.entries(spellings)) {
          const draft = rules.draft({ value: 1.5 })
          const body = respell(toJson(draft))
          await after(`POST with ${what}`, async () => {
            await plugin.addText(body)
            rules.find(await rules.read(), draft)
            await rules.clear([draft])
          })
        }
      },
  }),
  ...checks(judgingResponses, 'plugin.add.any-json-spelling', {
    'CT-4074 POST of a rule with Content-Type application/json with parameters, or Application/JSON, returns 201':
      async ({ plugin, rules }) => {
        for (const type of ['application/json; charset=utf-8', 'application/json;v=1', 'Application/JSON']) {
          await after(`a POST with ${type}`, async () =>
            expectStatus(await plugin.addText(toJson(rules.draft()), type), 201),
          )
        }
      },
  }),
]
