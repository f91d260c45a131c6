import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { buildReport } from '../../reports/document.ts'
import { renderHtml } from '../../reports/html/page.tsx'
import type { Report } from '../../reports/report.ts'
import { exchangeMaker, failed, sampleRun } from '../../reports/sample-run.test-data.ts'
import { shiftedList } from '../../reports/shifted-list.test-data.ts'
import { accessibilityProblems, browserForAll } from '../browser.ts'

const browser = browserForAll()
const inBrowser = test.skipIf(browser === null)
const dir = mkdtempSync(join(tmpdir(), 'report-page-'))
afterAll(() => rmSync(dir, { recursive: true }))

const hostile = '</script><img src=x onerror="document.title=\'run\'"> <b>bold</b> \u001b[2J\u202eevil\u2066 ]]>'

const diagnosis = [
  {
    defects: ['delete.moves-last-into-gap'],
    summaries: ['DELETE moves the last rule into the removed position.'],
    ...{
      reenacted: true,
      confirmed: true,
      explains: ['CT-106'],
      unexplained: ['CT-113'],
      alternatives: ['delete.sorts-by-value'],
    },
    ...{ besides: [], passing: 3, score: 0.9 },
  },
]

const sample = sampleRun()
const others = sample.outcomes.filter(({ check }) => check !== 'CT-106')
const report = buildReport({
  ...sample,
  diagnosis,
  defectsOf: () => ['delete.moves-earlier-to-end'],
  outcomes: [shiftedList('CT-106'), ...others],
})

/** The page of a report, opened from disk, and the messages on its console. */
async function opened(shown: Report, hash = '', options: BrowserContextOptions = {}) {
  if (browser === null) throw new Error('There is no browser.')
  const file = join(dir, 'report.html')
  writeFileSync(file, renderHtml(shown))
  const context = await (await browser).newContext({ reducedMotion: 'reduce', ...options })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => problems.push(message.text()))
  await page.goto(`${pathToFileURL(file)}${hash}`)
  if (options.javaScriptEnabled !== false) await page.locator('#requirements').waitFor()
  return { page, problems, context }
}

const shownIds = (page: Page) =>
  page.locator('#requirements .requirement code').evaluateAll((all) => all.map(({ textContent }) => textContent))

/** Every kind of details: all of the failures, and some of the rest. */
const unfold = `document
  .querySelectorAll('.banner details, #failures details, .clause:last-of-type details, .question:first-of-type details')
  .forEach((one) => { one.open = true })`

inBrowser.for([
  { colorScheme: 'light', viewport: { width: 1000, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 800 } },
] as const)('nothing is hard to read or to reach: $colorScheme, $viewport.width wide', async (options) => {
  const { page, problems } = await opened(report, '', options)
  // Nested details are rendered once the outer ones are open.
  for (const what of ['.check', '.exchanges .exchange', '.exchanges pre']) {
    await page.evaluate(unfold)
    await page.locator(`#failures ${what}`).first().waitFor()
  }
  expect(await accessibilityProblems(page)).toEqual([])
  expect(problems).toEqual([])
})

inBrowser('the navigation leads only to sections that are there', async () => {
  const outcomes = sample.outcomes.map(({ durationsMs: _, ...outcome }) => outcome)
  const { page } = await opened(buildReport({ ...sample, outcomes, questions: [] }))
  const broken = await page.$$eval('nav a', (links) =>
    links.flatMap((link) => (document.querySelector(link.getAttribute('href') ?? '') ? [] : link.textContent)),
  )
  expect(broken).toEqual([])
})

inBrowser('failures are grouped by the defect that explains them, with a diagram of the lists', async () => {
  const { page } = await opened(report)
  expect(await page.locator('.group h3').allInnerTexts()).toEqual([
    'DELETE moves the last rule into the removed position. delete.moves-last-into-gap',
    'Not explained by a known fault',
  ])
  const picture = page.locator('.fault .shift svg')
  expect(await picture.getAttribute('aria-label')).toBe('Where each rule went: 2 rules in a wrong place.')
  expect(await page.locator('.fault .shift em:not(:empty)').allInnerTexts()).toEqual([
    'removed',
    'should be 2',
    'should be 1',
  ])
})

inBrowser('a URL opens its requirement, with the deciding exchange first', async () => {
  const { page } = await opened(report, '#plugin.delete.keeps-order')
  const requirement = page.locator('[id="plugin.delete.keeps-order"]')
  expect(await requirement.locator('.exchange').first().innerText()).toContain('x3, 2 ms, the deciding response')
  expect(await requirement.innerText()).toContain('delete.moves-earlier-to-end')
  await page.goto(page.url().replace(/#.*/, '#CT-100'))
  await page.locator('[id="plugin.auth.missing-key"][open]').waitFor()
})

inBrowser('the list can be searched and filtered, and the URL contains the filter', async () => {
  const { page } = await opened(report, '#find?status=blocked')
  expect(await shownIds(page)).toEqual(['plugin.delete.invalid-index'])
  await page.getByRole('button', { name: 'Reset' }).click()
  await page.keyboard.press('/')
  await page.keyboard.type('KEY 401 wrong')
  expect(await shownIds(page)).toEqual(['plugin.auth.wrong-key'])
  expect(page.url()).toContain('#find?text=KEY+401+wrong')
  await page.getByLabel('Search').fill('')
  await page.getByRole('combobox', { name: 'Level' }).selectOption('robustness')
  await page.getByRole('combobox', { name: 'Clause' }).selectOption('7')
  expect(await shownIds(page)).toEqual(['plugin.body.truncated'])
  await page.getByRole('combobox', { name: 'Operation' }).selectOption('GET /api/rules')
  expect(await page.locator('.find [role=status]').innerText()).toMatch(/^\d of 12 requirements$/)
})

inBrowser('the list can be searched after a link to a requirement was followed', async () => {
  const { page } = await opened(report)
  await page.locator('a.mark').first().click()
  await page.locator('details.requirement[open]').first().waitFor()
  await page.getByLabel('Search').fill('keeps-order')
  await expect.poll(() => shownIds(page)).toEqual(['plugin.delete.keeps-order'])
  expect(await page.getByLabel('Search').inputValue()).toBe('keeps-order')
})

inBrowser('a link to a check of a closed requirement leads to the check', async () => {
  const { page } = await opened(report, '', { viewport: { width: 1000, height: 300 } })
  await page.evaluate(`location.hash = '#CT-113'`)
  await page.locator('#CT-113').waitFor()
  await expect
    .poll(() => page.evaluate(`document.getElementById('CT-113').getBoundingClientRect().top < 300`))
    .toBe(true)
})

inBrowser('failures can be browsed with the keyboard', async () => {
  const { page } = await opened(report)
  for (const key of ['j', 'j', 'k', 'Enter']) await page.keyboard.press(key)
  await page.locator('[id="plugin.delete.keeps-order"][open] .check').first().waitFor()
})

inBrowser('a failure can be copied as an issue, and its reproduction as a script', async () => {
  const permissions = ['clipboard-read', 'clipboard-write']
  const { page } = await opened(report, '#plugin.delete.keeps-order', { permissions })
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
  await page.getByRole('button', { name: 'Copy as issue' }).first().click()
  await page.getByText('Copied', { exact: true }).waitFor()
  expect(await copied()).toMatch(/^### `plugin\.delete\.keeps-order`\n\n\*\*Clause 4\.2 rule 2, required:\*\*/)
  await page.getByRole('button', { name: 'Copy the reproduction' }).first().click()
  await page.getByText('Copied', { exact: true }).nth(1).waitFor()
  expect(await copied()).toBe(`${shiftedList('CT-106').script}\n`)
})

inBrowser('data from a server is shown as text', async () => {
  const [exchange] = exchangeMaker(1)(1)
  if (exchange === undefined) throw new Error('no exchange was made')
  const response = { status: 200, headers: [['X-Odd', hostile]] as const, body: hostile }
  const outcome = {
    ...failed('CT-106', [{ ...exchange, response }]),
    ...{ message: hostile, expected: hostile, actual: hostile, script: `curl -i '${hostile}'`, decidedBy: exchange.id },
    data: { expected: [hostile], actual: [`#1 ${hostile}`], difference: null },
  }
  const target = { kind: 'url', url: `http://host/${hostile}`, plugin: { name: hostile, version: hostile } } as const
  const shown = buildReport(sampleRun(1, { target, outcomes: [outcome] }))
  const { page, problems } = await opened(shown, '#plugin.delete.keeps-order')
  await page.evaluate(unfold)
  await page.getByText('X-Odd').waitFor()
  expect(await page.locator('img, main b:text-is("bold")').count()).toBe(0)
  expect(await page.title()).not.toBe('run')
  const text = await page.locator('body').innerText()
  expect(text).toContain('</script><img src=x onerror=')
  expect(text).toContain('\\u001b[2J\\u202eevil\\u2066')
  expect(text).not.toMatch(/[^\P{Cc}\n\t]|[\u202e\u2066]/u)
  expect(problems).toEqual([])
})

inBrowser('the policy of the page stops any other script', async () => {
  const { page, problems } = await opened(report)
  await page.evaluate(
    `document.body.append(Object.assign(document.createElement('script'), { text: 'document.title = "run"' }))`,
  )
  expect(await page.title()).not.toBe('run')
  expect(problems.join()).toContain('Content Security Policy')
})

inBrowser('without scripts the verdict and the failures are shown', async () => {
  const { page } = await opened(report, '', { javaScriptEnabled: false })
  const text = await page.locator('body').innerText()
  expect(text).toContain('Non-conformant')
  expect(text).toContain('1 fault confirmed, 1 failure unexplained (CT-113).')
  expect(text).toContain('The list is not the one before without the removed rule.')
})

inBrowser('the print version has the failures expanded and no controls', async () => {
  const { page } = await opened(report)
  await page.emulateMedia({ media: 'print' })
  await page.evaluate('dispatchEvent(new Event("beforeprint"))')
  await page.locator('[id="plugin.delete.keeps-order"][open] .check').first().waitFor()
  expect(await page.getByRole('button').count()).toBe(0)
  expect((await page.pdf()).length).toBeGreaterThan(10_000)
})

inBrowser('a report with 300 requirements and 5,000 exchanges is shown quickly', async () => {
  const requirements = Array.from({ length: 300 }, (_, at) => ({
    ...(sample.requirements[at % 12] ?? sample.requirements[0]),
    id: `plugin.some.requirement-${at}`,
  }))
  const checks = requirements.map(({ id }, at) => ({ id: `CT-${1000 + at}`, title: id, requirement: id }))
  const exchanges = exchangeMaker(5)
  const outcomes = checks.map(({ id }) => failed(id, exchanges(17)))
  const large = buildReport({ ...sample, requirements, checks, outcomes } as typeof sample)
  const { page, problems } = await opened(large)
  const paint = await page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0].startTime`)
  // Half a second on an idle machine.
  expect(paint).toBeLessThan(3000)
  expect(problems).toEqual([])
})

inBrowser('a report that cannot be shown in full keeps its summary', async () => {
  if (browser === null) throw new Error('There is no browser.')
  const file = join(dir, 'broken.html')
  const data = gzipSync('{"requirements":null}').toString('base64')
  writeFileSync(file, renderHtml(report).replace(/(?<=id="data"[^>]*>)[^<]*/, data))
  const page = await (await browser).newPage()
  onTestFinished(() => page.close())
  const isBroken = page.waitForEvent('pageerror')
  await page.goto(pathToFileURL(file).href)
  await isBroken
  expect(await page.locator('#details').textContent()).toContain('CT-106')
})
