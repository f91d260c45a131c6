import supertest from 'supertest'
import { describe, test } from 'vitest'
import { answerOrigin } from '../../simulator/embed/nock.ts'
import { createSimulator, type Simulator } from '../../simulator/index.ts'
import { given, headersOf, jsonIn, type Place, placeOf, sendTo } from './place.ts'
import { scenarios } from './scenarios.ts'

const origin = 'https://plugin.example:8443'

/** supertest, on a port that it opens for each request. */
function sendBySupertest(simulator: Simulator): Place['send'] {
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
  readonly runAt: (run: (place: Place) => Promise<void>) => Promise<void>
}[] = [
  {
    way: 'a port of this process',
    runAt: async (run) => {
      await using simulator = createSimulator({ ...given, port: 0 })
      await simulator.start()
      await run(
        placeOf(
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
      await run(placeOf(simulator, sendBySupertest(simulator)))
    },
  },
  {
    way: 'nock',
    runAt: async (run) => {
      using answered = answerOrigin(origin, given)
      await run(
        placeOf(
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
