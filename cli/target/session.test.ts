import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { apiOf } from '../../suites/session/check.ts'
import { defaultRunFlags } from '../options/run-definitions.ts'
import { type RunOptions, resolveRunOptions } from '../options/run-options.ts'
import { runCases } from './apis.ts'
import { planChecks } from './plan.ts'
import { consent, inspect, openTarget, verifyAfter } from './session.ts'

function embedded(): RunOptions {
  const out = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(out, { recursive: true, force: true }))
  return resolveRunOptions({ ...defaultRunFlags(), out }, {})
}

const { signal } = new AbortController()

test('without a target both embedded servers are opened, planned for and ended', async () => {
  const target = await openTarget(embedded(), signal)
  await inspect(target)
  const planned = planChecks(target, runCases)
  const judged = new Set(planned.map(({ id }) => id))
  expect(new Set(runCases.filter(({ id }) => judged.has(id)).map(apiOf))).toEqual(new Set(['plugin', 'platform']))
  expect(target.plugin?.inspection?.list?.rules).toHaveLength(3)
  const urls = target.apis.map(({ url }) => url)
  expect(urls).toHaveLength(2)
  await target[Symbol.asyncDispose]()
  for (const url of urls) await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('one redactor removes the secrets of all servers', async () => {
  await using target = await openTarget(embedded(), signal)
  const keys = [target.plugin?.target.key, target.platform?.target.key, target.platform?.target.secret]
  expect(target.shared.redact(keys.join(' '))).toBe('[redacted] [redacted] [redacted]')
})

test('rules that the work leaves behind are removed before the list is compared', async () => {
  await using target = await openTarget(embedded(), signal)
  await inspect(target)
  const session = await consent(target, [])
  const { harm } = await verifyAfter(session, async () => {
    await session.context.plugin?.main.rules.arrange(2)
  })
  expect(harm).toMatchObject({ rulesBefore: 3, rulesAfter: 3, restored: true })
})

test('work that fails is reported only after the servers were verified', async () => {
  await using target = await openTarget(embedded(), signal)
  await inspect(target)
  const session = await consent(target, [])
  const failing = verifyAfter(session, async () => {
    await session.context.plugin?.main.rules.arrange(1)
    throw new Error('planted')
  })
  await expect(failing).rejects.toThrow('planted')
  expect(await session.context.plugin?.main.rules.read()).toHaveLength(3)
})
