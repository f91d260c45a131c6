import { expect, test } from 'vitest'
import type { fieldQuestions } from '../../../spec/platform/questions/fields.ts'
import { createPlatformSimulator } from '../index.ts'
import { type Demonstrations, demonstrate } from '../testing/answers.ts'
import { create, list, pair, post, terms } from '../testing/client.ts'

/** The result of a creation with one unusual field, and how the list shows that field. */
function odd(field: keyof typeof terms, value: unknown, accepted: unknown = value) {
  return {
    show: async (simulator: Parameters<typeof create>[0]) => {
      const { status } = await create(simulator, { [field]: value })
      return status === 201 ? (await list(simulator))[0]?.[field] : status
    },
    shows: { '400': 400, '422': 422, accepted },
  }
}

const missing = (field: keyof typeof terms, chosen: unknown) => odd(field, undefined, chosen)

const demonstrations: Demonstrations<typeof fieldQuestions> = {
  'platform.create.missing-name': missing('name', 'Unnamed'),
  'platform.create.missing-group': missing('group', 'demo'),
  'platform.create.missing-leverage': missing('leverage', 100),
  'platform.create.missing-currency': missing('currency', 'USD'),
  'platform.create.missing-balance': {
    ...missing('balance', 0),
    given: { profile: { 'platform.create.balance-zero': '400' } },
  },
  'platform.create.name-empty': odd('name', ''),
  'platform.create.name-number': odd('name', 123, '123'),
  'platform.create.name-long': odd('name', 'n'.repeat(300)),
  'platform.create.group-number': odd('group', 7, '7'),
  'platform.create.group-unknown': odd('group', 'no-such-group'),
  'platform.create.group-upper-case': odd('group', 'DEMO'),
  'platform.create.leverage-zero': odd('leverage', 0),
  'platform.create.leverage-negative': odd('leverage', -100),
  'platform.create.leverage-decimal': odd('leverage', 100.5, 100),
  'platform.create.leverage-text': odd('leverage', '100', 100),
  'platform.create.leverage-large': odd('leverage', 100_000),
  'platform.create.currency-unknown': odd('currency', 'QQQ'),
  'platform.create.currency-lower-case': odd('currency', 'usd'),
  'platform.create.currency-two-letters': odd('currency', 'US'),
  'platform.create.currency-symbol': odd('currency', '$'),
  'platform.create.balance-zero': odd('balance', 0),
  'platform.create.balance-negative': odd('balance', -1),
  'platform.create.balance-text': odd('balance', '1000', 1000),
  'platform.create.balance-null': odd('balance', null, 0),
  'platform.create.balance-third-decimal': {
    show: async (simulator) => {
      const { status } = await post(simulator, JSON.stringify({ ...terms, balance: 1000.125 }))
      return status === 201 ? (await list(simulator))[0]?.balance : status
    },
    shows: { kept: 1000.125, rounded: 1000.13, '400': 400, '422': 422 },
  },
}

demonstrate(demonstrations)

test.each(['', ' '])('the string %j is rejected as a number', async (balance) => {
  const profile = { 'platform.create.balance-text': 'accepted' } as const
  await using simulator = createPlatformSimulator({ keyPair: pair, profile })
  await simulator.start()
  expect((await create(simulator, { balance })).status).toBe(400)
})
