import { expect, test } from 'vitest'
import type { ServerPair } from './server-pair.ts'
import { stepsFor } from './steps.ts'

test('with risk read the steps send only GET, HEAD and OPTIONS', async () => {
  const methods = new Set<string>()
  const pair = {
    send: async (request) => {
      methods.add((typeof request === 'function' ? request('key') : request).method)
      return null
    },
    sendMethod: async (method) => {
      methods.add(method)
      return null
    },
  } satisfies Partial<ServerPair>

  const steps = stepsFor({
    risk: 'read',
    withoutForeignRules: true,
    capacity: 10,
    maxFill: 2000,
    maxRequests: 2000,
  })
  for (const step of steps) await step.play(pair as unknown as ServerPair, 0)

  expect([...methods].sort()).toEqual(['GET', 'HEAD', 'OPTIONS'])
})
