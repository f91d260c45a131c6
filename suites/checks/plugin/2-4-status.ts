import { after } from '../../assertions/after.ts'
import { expectEqual, expectExactStatus, expectObject, expectStatus, expectThat } from '../../assertions/expect.ts'
import { type Check, checks } from '../../session/check.ts'
import type { Plugin } from '../../session/plugin.ts'
import { arranged } from '../../session/rules.ts'
import { reading, writing } from './scopes.ts'

async function readStatus(plugin: Plugin): Promise<Readonly<Record<string, unknown>>> {
  const response = await plugin.status()
  expectStatus(response, 200)
  return expectObject(response)
}

const isPort = (value: unknown) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65535

const members = [
  { name: 'plugin', code: 'status.plugin-not-string', holds: (value: unknown) => typeof value === 'string' },
  { name: 'version', code: 'status.version-not-string', holds: (value: unknown) => typeof value === 'string' },
  {
    name: 'license_active',
    code: 'status.license-active-not-boolean',
    holds: (value: unknown) => typeof value === 'boolean',
  },
  {
    name: 'rules_loaded',
    code: 'status.rules-loaded-not-a-count',
    holds: (value: unknown) => Number.isInteger(value) && Number(value) >= 0,
  },
  { name: 'api_port', code: 'status.api-port-not-a-port', holds: isPort },
] as const

/** Every member of the status has its type. */
export function expectStatusMembers(status: Readonly<Record<string, unknown>>): void {
  for (const { name, code, holds } of members) expectThat(holds(status[name]), code, { actual: status[name] })
}

/** The status counts the rules as the list does. */
export async function expectLoadedIsTotal(plugin: Plugin): Promise<void> {
  const { rules_loaded } = await arranged(() => readStatus(plugin))
  expectEqual('status.rules-loaded-wrong', rules_loaded, expectObject(await plugin.list()).total)
}

/** Clause 2.4: the plugin status. */
export const statusChecks: readonly Check[] = [
  ...checks(reading, 'plugin.status.ok', {
    'CT-201 GET /api/status returns 200 with an object that has every member in its documented form': async ({
      plugin,
    }) => {
      const response = await plugin.status()
      expectExactStatus(response, 200)
      expectStatusMembers(expectObject(response))
    },
  }),
  ...checks(reading, 'plugin.status.rules-loaded-is-total', {
    'CT-207 GET /api/status returns rules_loaded equal to the total of GET /api/rules': ({ plugin }) =>
      expectLoadedIsTotal(plugin),
  }),
  ...checks(writing, 'plugin.status.rules-loaded-is-total', {
    'CT-208 GET /api/status returns rules_loaded equal to the total after two rules are added and one is removed':
      async ({ plugin, rules }) => {
        const [first] = await rules.arrange(2)
        await after('two POSTs', () => expectLoadedIsTotal(plugin))
        await rules.remove(first)
        await after('a DELETE', () => expectLoadedIsTotal(plugin))
      },
  }),
  ...checks({ ...writing, needs: ['launch', 'port'] }, 'plugin.status.api-port-is-own', {
    'CT-209 GET /api/status on a server with a configured port returns that port as api_port': async ({ launch }) => {
      const server = await launch()
      expectEqual('status.api-port-wrong', (await readStatus(server.plugin)).api_port, Number(new URL(server.url).port))
    },
  }),
]
