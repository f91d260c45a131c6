import { expect, test } from 'vitest'
import { directTransport } from '../../suites/client/transport.ts'
import { unpaced } from '../../suites/client/wait.ts'
import { defaultLogins } from '../../suites/session/logins.ts'
import { liveState } from '../../suites/targets/live/live-state.ts'
import { type LiveChoice, openLive } from './open-live.ts'

test.for([
  [120_000, 120_000],
  [5_000, 30_000],
])('with `--hook-timeout %d` a server may take %d ms to start', async ([hookLimitMs = 0, expected]) => {
  const choice: LiveChoice = {
    lifeCycle: { hooks: {}, parameters: null, manual: false, hookLimitMs },
    ...{ url: 'http://127.0.0.1:1', transport: directTransport, pace: unpaced, key: 'k', logins: defaultLogins },
    ...{ ledger: { file: 'l', append: () => undefined, close: () => undefined }, timeoutMs: 1_000 },
    ...{ redact: (text) => text, signal: new AbortController().signal },
  }
  const { options } = await openLive(choice, liveState({ keys: ['k'], order: [] }))
  expect(options.readyMs).toBe(expected)
})
