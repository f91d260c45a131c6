import { expectEqual, expectObject, expectStatus, expectThat } from '../../assertions/expect.ts'
import type { Check } from '../../session/check.ts'
import type { Plugin } from '../../session/plugin.ts'

async function readStatus(plugin: Plugin): Promise<Readonly<Record<string, unknown>>> {
  const response = await plugin.status()
  expectStatus(response, 200)
  return expectObject(response)
}

const members = [
  {
    id: 'CT-202',
    requirement: 'plugin.status.ok',
    name: 'plugin',
    code: 'status.plugin-not-string',
    expected: 'a string',
    holds: (value: unknown) => typeof value === 'string',
  },
  {
    id: 'CT-203',
    requirement: 'plugin.status.ok',
    name: 'version',
    code: 'status.version-not-string',
    expected: 'a string',
    holds: (value: unknown) => typeof value === 'string',
  },
  {
    id: 'CT-204',
    requirement: 'plugin.status.ok',
    name: 'license_active',
    code: 'status.license-active-not-boolean',
    expected: 'a boolean',
    holds: (value: unknown) => typeof value === 'boolean',
  },
  {
    id: 'CT-205',
    requirement: 'plugin.status.ok',
    name: 'rules_loaded',
    code: 'status.rules-loaded-not-a-count',
    expected: 'a non-negative integer',
    holds: (value: unknown) => Number.isInteger(value) && Number(value) >= 0,
  },
  {
    id: 'CT-206',
    requirement: 'plugin.status.ok',
    name: 'api_port',
    code: 'status.api-port-not-a-port',
    expected: 'an integer from 1 to 65535',
    holds: (value: unknown) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65535,
  },
] as const

/** Every member of the status has its type. */
export function expectStatusMembers(status: Readonly<Record<string, unknown>>): void {
  for (const { name, code, holds } of members) expectThat(holds(status[name]), code, { actual: status[name] })
}

const memberChecks = members.map(
  ({ id, requirement, name, code, expected, holds }): Check => ({
    id,
    requirement,
    title: `GET /api/status returns ${name} as ${expected}`,
    risk: 'read',
    async run({ plugin }) {
      const value = (await readStatus(plugin))[name]
      expectThat(holds(value), code, { actual: value })
    },
  }),
)

/** Clause 2.4: the plugin status. */
export const statusChecks: readonly Check[] = [
  {
    id: 'CT-201',
    requirement: 'plugin.status.ok',
    title: 'GET /api/status returns 200 with a JSON object',
    risk: 'read',
    async run({ plugin }) {
      await readStatus(plugin)
    },
  },
  ...memberChecks,
  {
    id: 'CT-207',
    requirement: 'plugin.status.rules-loaded-is-total',
    title: 'GET /api/status returns rules_loaded equal to the total of GET /api/rules',
    risk: 'read',
    async run({ plugin }) {
      const { rules_loaded } = await readStatus(plugin)
      const { total } = expectObject(await plugin.list())
      expectEqual('status.rules-loaded-wrong', rules_loaded, total)
    },
  },
  {
    id: 'CT-208',
    requirement: 'plugin.status.rules-loaded-is-total',
    title: 'GET /api/status counts two added rules and one removed rule in rules_loaded',
    risk: 'write',
    async run({ plugin, rules }) {
      const loaded = async () => Number((await readStatus(plugin)).rules_loaded)
      const before = await loaded()
      const [first] = await rules.arrange(2)
      expectEqual('status.rules-loaded-wrong-after-add', await loaded(), before + 2)
      await rules.remove(first)
      expectEqual('status.rules-loaded-wrong-after-delete', await loaded(), before + 1)
    },
  },
  {
    id: 'CT-209',
    requirement: 'plugin.status.api-port-is-own',
    title: 'GET /api/status on a server with a configured port returns that port as api_port',
    risk: 'write',
    needs: ['launch', 'port'],
    async run({ launch }) {
      const server = await launch()
      expectEqual('status.api-port-wrong', (await readStatus(server.plugin)).api_port, Number(new URL(server.url).port))
    },
  },
]
