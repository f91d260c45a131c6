import { mkdirSync, readFileSync } from 'node:fs'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { createSimulator, serveControl } from '../../simulator/index.ts'
import { createPlatformSimulator, type PlatformSimulator } from '../../simulator/platform/index.ts'
import { browserForAll } from '../browser.ts'

const key = 'a-key-that-nobody-may-see'
const browser = browserForAll()

async function opened(options: BrowserContextOptions = {}, platform?: PlatformSimulator) {
  const copies = [1, 2, 3, 4].map((n) => [`Copy_${n}`, `100${n}>200${n},mult,${n},same`])
  const simulator = createSimulator({ port: 0, parameters: { API_Key: key, ...Object.fromEntries(copies) } })
  await simulator.start()
  const control = await serveControl(simulator, platform && { platform })
  const { url } = simulator
  onTestFinished(async () => {
    await control.close()
    await simulator.stop()
  })
  if (browser === null) throw new Error('There is no browser.')
  const context = await (await browser).newContext({ reducedMotion: 'reduce', ...options })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  await page.goto(control.pageUrl)
  await page.getByText('Running', { exact: true }).waitFor()
  const plugin = (method: string, path: string, body?: object) =>
    fetch(`${url}/api/${path}`, {
      method,
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json', Connection: 'close' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  return { page, plugin, problems, url }
}

/** Run in the page, which does not know our types. */
const [poorContrasts, unreachableScrollers] = ['poor-contrasts.js', 'unreachable-scrollers.js'].map((name) =>
  readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'),
) as [string, string]

const rows = (page: Page) => page.locator('#rule-rows tr')
const rule = { master: 7001, follower: 7002, mode: 'fixed', value: 0.5, direction: 'reverse' }

test.skipIf(browser === null)('a new rule appears, and a removal shows the shift', async () => {
  const { page, plugin, problems } = await opened()
  expect(await rows(page).count()).toBe(4)
  await plugin('POST', 'rules', rule)
  const added = rows(page).filter({ hasText: '7002' })
  await added.waitFor()
  expect(await added.getAttribute('class')).toBe('added')
  await plugin('DELETE', 'rules/1')
  const shifted = page.locator('tr.shifted')
  await shifted.first().waitFor()
  expect(await shifted.locator('th').allTextContents()).toEqual(['1was 2', '2was 3', '3was 4'])
  expect(await page.locator('tr.removed').textContent()).toContain('2002')
  expect(await page.locator('#shift').textContent()).toBe('1 rule removed, 3 rules shifted to another index.')
  expect(await page.locator('#entries code').allTextContents()).toEqual([
    'DELETE',
    '/api/rules/1',
    'POST',
    '/api/rules',
  ])
  expect(problems).toEqual([])
})

test.skipIf(browser === null).for([
  ['no-preference', 3],
  ['reduce', 0],
] as const)('rules slide to their new index, unless motion is unwanted: %s', async ([reducedMotion, moving]) => {
  const { page, plugin } = await opened({ reducedMotion })
  // Records the start of animations, since they end.
  await page.evaluate(`
    globalThis.begun = 0
    const animate = Element.prototype.animate
    Element.prototype.animate = function (...given) { begun++; return animate.apply(this, given) }
  `)
  await plugin('DELETE', 'rules/0')
  await page.locator('tr.shifted').first().waitFor()
  expect(await page.evaluate('begun')).toBe(moving)
})

test.skipIf(browser === null)(
  'many mistakes do not push the journal out of view, and can be scrolled by keyboard',
  async () => {
    const { page, url } = await opened()
    for (let request = 0; request < 40; request += 1) await fetch(`${url}/api/rules`)
    await page.locator('#mistake-list li').nth(30).waitFor()
    expect(await page.locator('#mistakes').evaluate((element) => element.getBoundingClientRect().height)).toBeLessThan(
      500,
    )
    expect(await page.evaluate(unreachableScrollers)).toEqual([])
  },
)

test.skipIf(browser === null)('a switch makes the next call fail, using only the keyboard', async () => {
  const { page, plugin, problems } = await opened()
  const focused = () => page.evaluate<string>('document.activeElement.textContent')
  const walked: string[] = []
  while (!(await focused()).startsWith('Respond with 503') && walked.length < 30) {
    await page.keyboard.press('Tab')
    walked.push(await focused())
  }
  expect(walked[0]).toBe('Skip to the rules')
  expect(walked).toEqual(expect.arrayContaining(['Reset', 'Restart', 'Crash', 'Respond with 500']))
  await page.keyboard.press('Space')
  const toggle = page.getByRole('switch', { name: 'Respond with 503' })
  await page.locator('#page-503[aria-checked="true"]').waitFor()
  expect((await plugin('GET', 'rules')).status).toBe(503)
  await page.getByText('1 played').waitFor()
  expect(await focused()).toContain('Respond with 503')
  await page.keyboard.press('Space')
  await page.locator('#page-503[aria-checked="false"]').waitFor()
  expect((await plugin('GET', 'rules')).status).toBe(200)
  expect(await toggle.getAttribute('aria-checked')).toBe('false')
  const newest = page.locator('#entries summary').first()
  await newest.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Copy as curl' }).first().waitFor()
  expect(problems).toEqual([])
})

test.skipIf(browser === null)('what clients send is shown as text, and the curl command contains no key', async () => {
  const { page, plugin, url, problems } = await opened()
  await plugin('POST', 'rules', { ...rule, mode: `<img src=x onerror="document.title='run'">'` })
  await page.locator('#entries summary').first().click()
  const command = (await page.locator('.curl').textContent()) ?? ''
  expect(command).toContain('-H "X-API-Key: $TCK_API_KEY"')
  expect(command).toContain(`'${url}/api/rules'`.replaceAll("'", ''))
  expect(command).toContain(`onerror=\\"document.title='\\''run'\\''\\"`)
  expect(await page.locator('#entries img').count()).toBe(0)
  expect(await page.title()).toBe('Simulator')
  const everything = (await page.content()) + page.url()
  expect(everything).not.toContain(key)
  expect(everything).not.toContain('token=')
  expect(problems).toEqual([])
})

test.skipIf(browser === null)('a mistake of the client is shown as it happens, until the reset', async () => {
  const { page, plugin, problems } = await opened()
  await plugin('GET', 'rules')
  await plugin('DELETE', 'rules/0')
  expect(await page.locator('#mistakes').isVisible()).toBe(false)
  await plugin('DELETE', 'rules/0')
  const mistakes = page.locator('#mistake-list li')
  await mistakes.first().waitFor()
  expect(await mistakes.allTextContents()).toEqual([
    expect.stringMatching(/^#3Removed a rule by an index that was read before another change\. Read GET/),
    expect.stringMatching(/^#3Removed rule 1002>2002, but the list that the client had read has 1001>2001 at that/),
  ])
  await page.reload()
  await mistakes.nth(1).waitFor()
  await page.getByRole('button', { name: 'Reset' }).click()
  await page.locator('#mistakes').waitFor({ state: 'hidden' })
  await plugin('DELETE', 'rules/0')
  await page.getByText('without reading the list first').waitFor()
  expect(problems).toEqual([])
})

test.skipIf(browser === null)('any fault can be added, and an invalid one is explained', async () => {
  const { page, plugin } = await opened()
  await page.getByText('Add another fault').click()
  const add = async (fault: string) => {
    await page.getByLabel('Fault, as for').fill(fault)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
  }
  await add('{ "effect": ')
  await page.getByText('The fault is not valid JSON.').waitFor()
  await add('{ "effect": { "kind": "answr" } }')
  await page.locator('#notice.problem').filter({ hasText: 'kind' }).waitFor()
  await add('{ "id": "mine", "when": { "method": "DELETE" }, "effect": { "kind": "answer", "status": 418 } }')
  await page.getByRole('button', { name: 'Remove mine' }).waitFor()
  expect((await plugin('DELETE', 'rules/0')).status).toBe(418)
  expect((await plugin('GET', 'rules')).status).toBe(200)
})

test.skipIf(browser === null)('the page survives a crash and can restart the plugin', async () => {
  const { page, plugin } = await opened()
  await page.getByRole('button', { name: 'Crash' }).click()
  await page.getByText('Stopped', { exact: true }).waitFor()
  await expect(plugin('GET', 'rules')).rejects.toThrow()
  await page.getByRole('button', { name: 'Restart' }).click()
  await page.getByText('Running', { exact: true }).waitFor()
  expect((await plugin('GET', 'rules')).status).toBe(200)
})

test.skipIf(browser === null)(
  'a platform is shown with its accounts and keys, and nothing that gives access to it',
  async () => {
    await using platform = createPlatformSimulator()
    await platform.start()
    const { page, problems } = await opened({}, platform)
    const line = page.locator('#platform')
    expect(await line.textContent()).toBe(`Platform API: ${platform.url}, 0 trading accounts, no keys`)
    const first = await platform.keys.create({ name: '<b>first</b>' })
    await platform.keys.revoke(first.id)
    const { apiKey, apiSecret } = await platform.keys.create({ expiresAt: new Date('2099-01-01T00:00:00Z') })
    await fetch(`${platform.url}/v1/trading-accounts`, {
      method: 'POST',
      headers: { 'Authorization': `Bearer ${apiKey}`, 'Content-Type': 'application/json', 'Connection': 'close' },
      body: JSON.stringify({ name: 'Ada', group: 'demo', leverage: 100, currency: 'USD', balance: 1 }),
    })
    await page.getByText('1 trading account,').waitFor()
    expect(await line.textContent()).toMatch(
      /, keys: <b>first<\/b> \(revoked\), key_2 \(until 2099-01-01T00:00:00.000Z\)$/,
    )
    for (const name of ['c', 'd', 'e', 'f']) await platform.keys.create({ name })
    await page.getByText(', c, d, e, f and 1 older').waitFor()
    const folder = process.env.TCK_SCREENSHOTS
    if (folder !== undefined) {
      mkdirSync(folder, { recursive: true })
      await page.screenshot({ path: `${folder}/platform.png` })
    }
    const everything = await page.content()
    expect([everything.includes(apiKey), everything.includes(apiSecret)]).toEqual([false, false])
    await platform.crash()
    await page.getByText('Platform API: no port is open.').waitFor()
    expect(problems).toEqual([])
  },
)

test.skipIf(browser === null)('without a platform the page does not mention one', async () => {
  const { page } = await opened()
  expect(await page.locator('#platform').isVisible()).toBe(false)
})

test.skipIf(browser === null)('both colour schemes are readable', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, plugin } = await opened({ colorScheme, viewport: { width: 1200, height: 900 } })
    await plugin('GET', 'rules')
    await plugin('DELETE', 'rules/1')
    await plugin('DELETE', 'rules/9')
    await page.locator('#page-lose').click()
    await page.locator('#page-lose[aria-checked="true"]').waitFor()
    await plugin('POST', 'rules', rule).catch(() => null)
    await page.locator('tr.added').waitFor()
    await plugin('DELETE', 'rules/0')
    await page.locator('tr.shifted').first().waitFor()
    expect(await page.evaluate(poorContrasts)).toEqual([])
    expect(await page.evaluate(unreachableScrollers)).toEqual([])
    const folder = process.env.TCK_SCREENSHOTS
    if (folder === undefined) continue
    mkdirSync(folder, { recursive: true })
    await page.screenshot({ path: `${folder}/${colorScheme}.png` })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.screenshot({ path: `${folder}/${colorScheme}-narrow.png`, fullPage: true })
  }
})
