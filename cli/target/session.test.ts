import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createPluginContext } from '../../suites/runner/plugin/create-context.ts'
import { type RunOptions, resolveRunOptions } from '../options/run-options.ts'
import { apis } from './apis.ts'
import { platformApi } from './platform/api.ts'
import { type OpenPlugin, pluginApi } from './plugin/api.ts'
import { codeOfTarget, openTarget, type ReadySession, requireChecks, runCases } from './session.ts'

function embedded(): RunOptions {
  const out = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(out, { recursive: true, force: true }))
  return resolveRunOptions({ out }, {})
}

const { signal } = new AbortController()

function rulesIn(session: ReadySession<OpenPlugin>) {
  return createPluginContext(session.main.settings, session.driver, session.shared).main.rules
}

test('without a target both embedded servers are opened, planned for and closed', async () => {
  const target = await openTarget(apis, embedded(), signal)
  await target.inspect()
  const judged = new Set(target.plan(runCases(apis)).map(({ id }) => id))
  const names = apis.filter(({ cases }) => cases.some(({ id }) => judged.has(id))).map(({ name }) => name)
  expect(names).toEqual(['plugin', 'platform'])
  const urls = target.apis.map(({ url }) => url)
  expect(urls).toHaveLength(2)
  await target[Symbol.asyncDispose]()
  for (const url of urls) await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('one redactor removes the secrets of all servers', async () => {
  await using target = await openTarget(apis, embedded(), signal)
  const secrets = target.apis.flatMap(({ settings }) => settings.secrets)
  expect(secrets.length).toBeGreaterThan(3)
  for (const secret of secrets) expect(target.shared.redact(secret)).toBe('[redacted]')
})

test('rules that were left behind are removed before the list is compared', async () => {
  await using target = await openTarget([pluginApi], embedded(), signal)
  await target.inspect()
  expect(target.main.list?.rules).toHaveLength(3)
  const session = await target.consent([])
  const { harm } = await session.verifyAfter(() => rulesIn(session).arrange(2))
  expect(harm).toMatchObject({ rulesBefore: 3, rulesAfter: 3, restored: true })
})

test('an error is reported only after the servers were verified', async () => {
  await using target = await openTarget([pluginApi], embedded(), signal)
  await target.inspect()
  const session = await target.consent([])
  const failing = session.verifyAfter(async () => {
    await rulesIn(session).arrange(1)
    throw new Error('planted')
  })
  await expect(failing).rejects.toThrow('planted')
  expect(await rulesIn(session).read()).toHaveLength(3)
})

const asFound = { restored: true, unreachable: false }
const changed = { ...asFound, restored: false }
const unreachable = { ...changed, unreachable: true }

test.for([
  { what: 'a list that was restored', harm: asFound, code: null },
  { what: 'a list that was not restored', harm: changed, code: 5 },
  { what: 'a list that was not restored, on a server that answered again', harm: changed, gone: pluginApi, code: 5 },
  { what: 'a list that cannot be read', harm: unreachable, code: 4 },
  { what: 'a server that stopped answering', harm: asFound, gone: pluginApi, code: 4 },
  { what: 'a changed list of a server that the kit started', kind: 'exec', harm: changed, code: 1 },
  { what: 'a server that the kit started and that ended', kind: 'exec', harm: unreachable, gone: pluginApi, code: 1 },
  { what: 'a platform that stopped answering beside it', kind: 'exec', harm: asFound, gone: platformApi, code: 4 },
] as const)('the exit code for $what is $code', ({ harm, code, ...row }) => {
  const kind = 'kind' in row ? row.kind : 'url'
  const servers = [
    { kind, api: pluginApi },
    { kind: 'url', api: platformApi },
  ] as const
  // Whichever check, observation or probe of an error text noticed it.
  const stopped = ({ id }: { id: string }) => [{ check: id, status: 'blocked', stop: 'unreachable' } as const]
  const runs = 'gone' in row ? row.gone.cases.map(stopped) : [[]]
  for (const outcomes of runs) expect(codeOfTarget(servers, harm, outcomes)).toBe(code)
})

const plugin = { exec: 'node server.js' }

test.for([
  {
    what: 'a glob that matches nothing beside one that does',
    only: ['CT-201', 'plugin.delte.*'],
    wrong: 'plugin.delte.*',
  },
  { what: 'an unknown id', only: ['CT-9999', 'plugin.status.ok'], wrong: 'CT-9999' },
  {
    what: 'a glob for a platform that is not judged, as in a file of options for several runs',
    only: ['CT-201', 'platform.*'],
    wrong: null,
  },
  { what: 'a glob for a check that needs more risk', only: ['CT-201', 'plugin.delete.*'], wrong: null },
  { what: 'a question beside a requirement', only: ['plugin.status.ok', 'plugin.index.base'], wrong: null },
  { what: 'ids of a platform that is not judged, as with `--failed`', only: ['CT-201', 'CP-208'], wrong: null },
])('$what is rejected: $wrong', ({ only, wrong }) => {
  const judge = () => requireChecks(resolveRunOptions({ ...plugin, risk: 'read', only }, {}), apis)
  if (wrong === null) judge()
  else expect(judge).toThrow(`No check matches \`--only ${wrong}\`.`)
})

test('a misspelled glob of --skip is rejected too, as it would leave nothing out', () => {
  const skipping = (skip: readonly string[]) => () =>
    requireChecks(resolveRunOptions({ ...plugin, risk: 'read', skip }, {}), apis)
  expect(skipping(['plugin.delte.*'])).toThrow('No check matches `--skip plugin.delte.*`.')
  expect(skipping(['plugin.delete.*', 'platform.*', 'CQ-101'])).not.toThrow()
})
