import { expect, onTestFinished, test } from 'vitest'
import { simulatorTransport } from '../../client/transport.ts'
import { createEmbeddedDriver } from '../../targets/embedded.ts'
import { createPluginContext } from './context.ts'
import { unguardedSettings } from './unguarded-settings.ts'

test.for(['stop', 'crash'] as const)(
  'a write right after a %s and a start meets no connection of the earlier life',
  async (end) => {
    const key = 'a-key-for-tests'
    const driver = createEmbeddedDriver()
    onTestFinished(() => driver.discardAll())
    const prepared = await driver.prepare({ parameters: { API_Key: key }, defaultPort: false, capacity: null })
    if (prepared === 'port-taken') throw new Error('no free port was found')
    const { id, url } = prepared
    const target = {
      kind: 'simulator',
      transport: simulatorTransport,
      url,
      key,
      server: id,
      capabilities: [],
      capacity: null,
    } as const
    const context = createPluginContext(unguardedSettings(target, 1), driver)
    const { plugin, rules } = context.main
    await context.driver?.start(id, 'ready')
    const lives = 20
    for (let life = 0; life < lives; life += 1) {
      // Several at once, so that several connections wait for a next request.
      await Promise.all([plugin.status(), plugin.status(), plugin.add(context.draft())])
      await context.driver?.[end](id)
      await context.driver?.start(id, 'ready')
      await plugin.add(context.draft())
    }
    expect(await rules.read()).toHaveLength(2 * lives)
  },
)
