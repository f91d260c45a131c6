import { expectEqual, expectExactStatus, expectObject, expectStatus, expectThat } from '../../assertions/expect.ts'
import { after } from '../../assertions/failure.ts'
import type { HttpResponse } from '../../client/response.ts'
import { copyOf } from '../../model/copy-syntax.ts'
import { contentOf } from '../../model/rule.ts'
import type { Plugin } from '../../session/plugin.ts'
import { arranged } from '../../session/rules.ts'
import { checks, ownServer, reading, writing } from './scopes.ts'

async function readStatus(plugin: Plugin): Promise<Readonly<Record<string, unknown>>> {
  const response = await plugin.status()
  expectStatus(response, 200)
  return expectObject(response)
}

const isText = (value: unknown) => typeof value === 'string'
const isInteger = (from: number, to: number) => (value: unknown) =>
  Number.isInteger(value) && Number(value) >= from && Number(value) <= to

const members = [
  ['plugin', 'status.plugin-not-string', isText],
  ['version', 'status.version-not-string', isText],
  ['license_active', 'status.license-active-not-boolean', (value: unknown) => typeof value === 'boolean'],
  ['rules_loaded', 'status.rules-loaded-not-a-count', isInteger(0, Number.POSITIVE_INFINITY)],
  ['api_port', 'status.api-port-not-a-port', isInteger(1, 65535)],
] as const

export function expectDocumentedStatus(response: HttpResponse): void {
  expectExactStatus(response, 200)
  const status = expectObject(response)
  for (const [name, code, holds] of members) expectThat(holds(status[name]), code, { actual: status[name] })
}

export async function expectLoadedIsTotal(plugin: Plugin): Promise<void> {
  const { rules_loaded } = await arranged(() => readStatus(plugin))
  expectEqual('status.rules-loaded-wrong', rules_loaded, expectObject(await plugin.list()).total)
}

/** Clause 2.4: the plugin status. */
export const statusChecks = [
  ...checks(reading, 'plugin.status.ok', {
    'CT-201 GET /api/status returns 200 with an object that has every member in its documented form': async ({
      plugin,
    }) => expectDocumentedStatus(await plugin.status()),
  }),
  ...checks(reading, 'plugin.status.rules-loaded-is-total', {
    'CT-207 GET /api/status returns rules_loaded equal to the total of GET /api/rules': ({ plugin }) =>
      expectLoadedIsTotal(plugin),
  }),
  ...checks(writing, 'plugin.status.rules-loaded-is-total', {
    'CT-208 GET /api/status returns rules_loaded equal to the total after POSTs, a DELETE, and POSTs of a pair again':
      async ({ plugin, rules }) => {
        const [first, second] = await rules.arrange(2)
        await after('two POSTs', () => expectLoadedIsTotal(plugin))
        await rules.remove(first)
        await after('a DELETE', () => expectLoadedIsTotal(plugin))
        // A server may reject them.
        await rules.offer([1, 0].map((more) => rules.draft({ ...contentOf(second), value: second.value + more })))
        await after('POSTs of a pair again', () => expectLoadedIsTotal(plugin))
      },
  }),
  ...checks({ ...ownServer, copies: true }, 'plugin.status.rules-loaded-is-total', {
    'CT-210 GET /api/status returns rules_loaded equal to the total after starts with Copy_N, also beside a rules file':
      async (session) => {
        const { draft } = session.rules
        const copy = copyOf(session, { Copy_1: draft(), Copy_2: draft() })
        const server = await session.launch({ copy })
        await server.rules.arrange(1)
        await server.restart()
        await after('a start with a rules file and Copy_N', () => expectLoadedIsTotal(server.plugin))
        // A server may have lost the rule that was added.
        const [rule] = await server.rules.read()
        if (rule !== undefined) await server.rules.remove(rule)
        await after('a start and a DELETE', () => expectLoadedIsTotal(server.plugin))
        const other = await session.prepare({ copy: { ...copy, Copy_3: 'unreadable' } })
        // A server may also not start.
        if (!(await other.tryStart())) return
        await after('a start with an unreadable Copy_N', () => expectLoadedIsTotal(other.plugin))
      },
  }),
  ...checks({ ...writing, needs: ['launch', 'port'] }, 'plugin.status.api-port-is-own', {
    'CT-209 GET /api/status on a server with a configured port returns that port as api_port': async ({ launch }) => {
      const { plugin, url } = await launch({ port: 'high', list: 'empty' })
      const { api_port } = await readStatus(plugin)
      expectEqual('status.api-port-wrong', api_port, Number(new URL(url).port))
    },
  }),
]
