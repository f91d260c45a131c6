import { expect, onTestFinished, test } from 'vitest'
import { simulatorTransport } from '../../client/transport.ts'
import type { Check } from '../../session/check.ts'
import type { LaunchSettings } from '../../session/session.ts'
import { createEmbeddedDriver } from '../../targets/embedded.ts'
import { createPluginContext } from './create-context.ts'
import { unguardedSettings } from './settings.ts'

/** Runs a check that declares these needs and starts a server. */
async function startServer(needs: NonNullable<Check['needs']>, settings?: LaunchSettings) {
  const driver = createEmbeddedDriver()
  onTestFinished(() => driver.discardAll())
  const access = { url: 'http://127.0.0.1:9', key: 'a-key-for-tests', transport: simulatorTransport }
  const target = { kind: 'simulator', ...access, server: 'none', capabilities: [], capacity: null } as const
  const context = createPluginContext(unguardedSettings(target, 1), driver)
  const run: Check['run'] = async ({ launch }) => void (await launch(settings))
  const check = { id: 'CT-1', requirement: 'plugin.none', title: 'A check', risk: 'write', needs, run } as const
  await run(await context.openCheck(check).session())
}

const anyList = { list: 'any' } as const

test.for([
  { needs: ['launch'], settings: {} },
  { needs: ['restart'], settings: anyList },
] as const)('a check may start a server that it declares: %j', async ({ needs, settings }) => {
  await startServer(needs, settings)
})

test.for([
  { needs: [], settings: anyList },
  { needs: ['restart'], settings: {} },
] as const)('a check that starts an undeclared server is an error of the kit: %j', async ({ needs, settings }) => {
  await expect(startServer(needs, settings)).rejects.toThrow('CT-1 starts a server that it has not declared in `needs`')
})
