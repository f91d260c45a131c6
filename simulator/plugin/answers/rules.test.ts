import type { ruleQuestions } from '../../../spec/plugin/questions/rules.ts'
import type { Simulator } from '../../index.ts'
import { post, ruleText, send } from '../../testing/client.ts'
import { type Demonstrations, demonstrate } from '../testing/answers.ts'

/** The last status, after all bodies were sent. */
const afterAll =
  (...bodies: readonly string[]) =>
  async (simulator: Simulator) => {
    let status = 0
    for (const body of bodies) status = (await post(simulator, body)).status
    return status
  }

/** The status, and the number as the list spells it. */
const kept = (field: string, numeral: string) => async (simulator: Simulator) => {
  const { status } = await post(simulator, ruleText({ [field]: numeral }))
  const { text } = await send(simulator)
  return [status, new RegExp(`"${field}":([^,}]+)`).exec(text)?.[1]]
}

const refused = [400, undefined]

demonstrate({
  'plugin.index.base': {
    show: async (simulator) => {
      const index = JSON.parse((await post(simulator, ruleText())).text).index
      const listed = JSON.parse((await send(simulator)).text).rules[0].index
      const remove = await send(simulator, { method: 'DELETE', path: `/api/rules/${index}` })
      return [index, listed, remove.status]
    },
    shows: { '0': [0, 0, 200], '1': [1, 1, 200] },
  },
  'plugin.add.position': {
    show: async (simulator) => {
      await post(simulator, ruleText({ follower: '1' }))
      const { index } = JSON.parse((await post(simulator, ruleText({ follower: '2' }))).text)
      return [index, ...simulator.rules.map(({ follower }) => follower)]
    },
    shows: { end: [1, 1n, 2n], start: [0, 2n, 1n] },
  },
  'plugin.add.duplicate': { show: afterAll(ruleText(), ruleText()), shows: { accepted: 201, refused: 400 } },
  'plugin.add.same-pair': {
    show: afterAll(ruleText(), ruleText({ value: '2' })),
    shows: { accepted: 201, refused: 400 },
  },
  'plugin.add.self-copy': {
    show: afterAll(ruleText({ master: '7', follower: '7' })),
    shows: { accepted: 201, refused: 400 },
  },
  'plugin.login.zero': { show: kept('follower', '0'), shows: { accepted: [201, '0'], refused } },
  'plugin.login.negative': {
    show: async (simulator) => [
      await kept('follower', `-${2n ** 70n}`)(simulator),
      (await post(simulator, ruleText({ follower: '-5' }))).status,
    ],
    // Beyond 64 bits, plugin.login.above-64-bits decides.
    shows: { accepted: [refused, 201], refused: [refused, 400] },
  },
  'plugin.login.above-31-bits': {
    show: kept('master', '3000000005'),
    shows: { exact: [201, '3000000005'], refused },
  },
  'plugin.login.above-53-bits': {
    show: kept('master', '9007199254740993'),
    shows: { exact: [201, '9007199254740993'], refused },
  },
  'plugin.login.above-64-bits': {
    show: kept('master', '18446744073709551621'),
    shows: { refused, exact: [201, '18446744073709551621'] },
  },
  'plugin.login.zero-fraction': {
    show: kept('follower', '900000000.0'),
    shows: { accepted: [201, '900000000'], refused },
  },
  'plugin.login.exponent': { show: kept('follower', '9e8'), shows: { accepted: [201, '900000000'], refused } },
  'plugin.value.smallest': {
    show: kept('value', '1e-9'),
    shows: { kept: [201, '1e-9'], refused },
  },
  'plugin.value.largest': { show: kept('value', '1e12'), shows: { kept: [201, '1000000000000'], refused } },
  'plugin.value.overflow': {
    show: kept('value', '1e400'),
    shows: { refused, accepted: [201, '1.7976931348623157e+308'] },
  },
  'plugin.capacity.before-validation': {
    given: { capacity: 1 },
    show: afterAll(ruleText(), ruleText({ mode: '"nonsense"' })),
    shows: { '400': 400, '500': 500 },
  },
} satisfies Demonstrations<typeof ruleQuestions>)
