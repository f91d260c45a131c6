import {
  expectBooleanSuccess,
  expectEqual,
  expectObject,
  expectStatus,
  expectSuccess,
  expectThat,
  expectUnchanged,
} from '../../assertions/expect.ts'
import type { Check } from '../../session/check.ts'
import { expectAdded, expectAddedAt } from '../../session/list-changes.ts'
import { operations, writes } from '../../session/operations.ts'
import { toJson } from '../../session/plugin.ts'
import { inChunks, post } from '../../session/raw-request.ts'

const acceptedWords = [
  { id: 'CT-408', requirement: 'plugin.add.documented-words', changes: { mode: 'mult' } },
  { id: 'CT-409', requirement: 'plugin.add.documented-words', changes: { mode: 'multiplier' } },
  { id: 'CT-410', requirement: 'plugin.add.documented-words', changes: { mode: 'fixed' } },
  { id: 'CT-411', requirement: 'plugin.add.documented-words', changes: { direction: 'same' } },
  { id: 'CT-412', requirement: 'plugin.add.documented-words', changes: { direction: 'reverse' } },
] as const

const wordChecks = acceptedWords.map(
  ({ id, requirement, changes }): Check => ({
    id,
    requirement,
    title: `POST of a rule with ${Object.entries(changes).flat().join(' ')} is accepted, and the rule is listed`,
    risk: 'write',
    async run({ plugin, rules }) {
      const draft = rules.draft(changes)
      expectStatus(await plugin.add(draft), 201)
      rules.find(await rules.read(), draft)
    },
  }),
)

/** Other spellings of the same JSON. */
const spellings: readonly {
  readonly id: string
  readonly json: string
  readonly respell: (json: string) => string
}[] = [
  { id: 'CT-413', json: 'fields in reverse order', respell: reverseMembers },
  {
    id: 'CT-414',
    json: 'spaces, tabs and line breaks in the JSON',
    respell: (json) => json.replace(/([{}:,])/g, ' \t\r\n$1\n '),
  },
  {
    id: 'CT-415',
    json: 'escaped letters in field names and strings',
    respell: (json) => json.replace('"master"', '"m\\u0061ster"').replace(/"(same|reverse)"/, escapeFirstLetter),
  },
  { id: 'CT-416', json: 'value 1.50', respell: (json) => json.replace(/"value":[\d.]+/, '"value":1.50') },
  {
    id: 'CT-417',
    json: 'value 15e-1',
    respell: (json) => json.replace(/"value":[\d.]+/, '"value":15e-1'),
  },
]

function reverseMembers(json: string): string {
  const members = Object.entries(JSON.parse(json) as Record<string, unknown>)
  return JSON.stringify(Object.fromEntries(members.reverse()))
}

function escapeFirstLetter(word: string): string {
  const code = word.charCodeAt(1).toString(16).padStart(4, '0')
  return `"\\u${code}${word.slice(2)}`
}

const spellingChecks = spellings.map(
  ({ id, json, respell }): Check => ({
    id,
    requirement: 'plugin.add.any-json-spelling',
    title: `POST of a rule with ${json} is accepted`,
    risk: 'write',
    async run({ plugin, rules }) {
      const draft = rules.draft({ value: 1.5 })
      const body = respell(toJson(draft))
      expectStatus(await plugin.send({ method: 'POST', path: '/api/rules', body }), 201)
      rules.find(await rules.read(), draft)
    },
  }),
)

/** Clause 4.2: POST /api/rules with a valid body. */
export const addRuleChecks: readonly Check[] = [
  {
    id: 'CT-401',
    requirement: 'plugin.add.created',
    title: 'POST of a valid rule returns 201',
    risk: 'write',
    async run({ plugin, rules }) {
      expectStatus(await plugin.add(rules.draft()), 201)
    },
  },
  {
    id: 'CT-402',
    requirement: 'plugin.add.created',
    title: 'POST of a valid rule returns a boolean success',
    risk: 'write',
    async run({ plugin, rules }) {
      expectBooleanSuccess(await plugin.add(rules.draft()))
    },
  },
  {
    id: 'CT-419',
    aliases: ['CT-504'],
    requirement: 'plugin.success-is-true',
    title: 'POST of a valid rule and DELETE of a rule return success: true',
    risk: 'write',
    async run(session) {
      for (const name of writes) expectSuccess(await operations[name](session, {}))
    },
  },
  {
    id: 'CT-403',
    requirement: 'plugin.add.created',
    title: 'POST of a valid rule returns an integer index',
    risk: 'write',
    async run({ plugin, rules }) {
      const { index } = expectObject(await plugin.add(rules.draft()))
      expectThat(Number.isInteger(index), 'add.index-not-integer', { actual: index })
    },
  },
  {
    id: 'CT-404',
    requirement: 'plugin.add.created',
    title: 'POST of a valid rule returns the master and follower that were sent',
    risk: 'write',
    async run({ plugin, rules }) {
      const draft = rules.draft()
      const { master, follower } = expectObject(await plugin.add(draft))
      expectEqual('add.logins-wrong', { master, follower }, { master: draft.master, follower: draft.follower })
    },
  },
  {
    id: 'CT-405',
    requirement: 'plugin.add.index-of-new-rule',
    title: 'Each of five added rules is listed at the index that its POST returned',
    risk: 'write',
    async run({ plugin, rules }) {
      for (let i = 0; i < 5; i += 1) {
        const draft = rules.draft()
        const { index } = expectObject(await plugin.add(draft))
        expectAddedAt(await rules.read(), draft, index)
      }
    },
  },
  {
    id: 'CT-406',
    requirement: 'plugin.add.index-of-new-rule',
    title: 'A rule that is added after DELETE of a middle rule is listed at the index that its POST returned',
    risk: 'write',
    async run({ plugin, rules }) {
      const [, middle] = await rules.arrange(3)
      await rules.remove(middle)
      const draft = rules.draft()
      const { index } = expectObject(await plugin.add(draft))
      expectEqual('add.index-wrong', rules.find(await rules.read(), draft).index, index)
    },
  },
  {
    id: 'CT-407',
    requirement: 'plugin.add.leaves-others',
    title: 'Each of seven POSTs adds one rule and keeps all other rules and their order',
    risk: 'write',
    async run({ plugin, rules }) {
      let before = await rules.read()
      for (let i = 0; i < 7; i += 1) {
        const draft = rules.draft()
        expectStatus(await plugin.add(draft), 201)
        const after = await rules.read()
        expectAdded(after, { before, draft })
        before = after
      }
    },
  },
  {
    id: 'CT-4071',
    requirement: 'plugin.add.leaves-others',
    title: 'An accepted POST with a body in one, two or many chunks adds exactly one rule',
    risk: 'write',
    async run(session) {
      const { raw, rules } = session
      for (const length of [1000, 40, 1]) {
        const draft = rules.draft()
        const before = await rules.read()
        const parts = toJson(draft).match(new RegExp(`.{1,${length}}`, 'g')) ?? []
        const bytes = post(session, inChunks(parts), ['Transfer-Encoding: chunked'])
        const [response] = (await raw({ bytes, responses: 1 })).responses
        const after = await rules.read()
        if (response?.status === 201) expectAdded(after, { before, draft })
        else if (response !== undefined) expectUnchanged(after, before)
      }
    },
  },
  ...wordChecks,
  ...spellingChecks,
]
