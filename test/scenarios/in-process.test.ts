import supertest from 'supertest'
import { describe, test } from 'vitest'
import { answerOrigin } from '../../simulator/embed/nock.ts'
import { createSimulator, type Simulator } from '../../simulator/index.ts'
import { environmentOf, given, headersOf, jsonIn, type ScenarioEnvironment, sendTo } from './environment.ts'
import { scenarios } from './scenarios.ts'

const origin = 'https://plugin.example:8443'

/** supertest, on a port that it opens for each request. */
function sendBySupertest(simulator: Simulator): ScenarioEnvironment['send'] {
  const handler = simulator.callback()
  return async (method, path, sent = {}) => {
    const ask = supertest(handler)[method.toLowerCase() as 'get'](path)
    const reply = await ask
      .set(headersOf(sent))
      .serialize((body: unknown) => String(body))
      .send(sent.body)
    return { status: reply.status, allow: reply.headers.allow ?? null, body: jsonIn(reply.text) }
  }
}

const ways: readonly {
  readonly way: string
  readonly runAt: (run: (environment: ScenarioEnvironment) => Promise<void>) => Promise<void>
}[] = [
  {
    way: 'a port of this process',
    runAt: async (run) => {
      await using simulator = createSimulator({ ...given, port: 0 })
      await simulator.start()
      await run(
        environmentOf(
          simulator,
          sendTo(() => simulator.url),
        ),
      )
    },
  },
  {
    way: 'supertest',
    runAt: async (run) => {
      await using simulator = createSimulator(given)
      await run(environmentOf(simulator, sendBySupertest(simulator)))
    },
  },
  {
    way: 'nock',
    runAt: async (run) => {
      using answered = answerOrigin(origin, given)
      await run(
        environmentOf(
          answered.simulator,
          sendTo(() => origin),
        ),
      )
    },
  },
]

describe.for(ways)('$way', ({ runAt }) => {
  test.for(scenarios)('$name', ({ run }) => runAt(run))
})
