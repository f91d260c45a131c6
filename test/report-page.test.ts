import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { buildReport } from '../reports/document.ts'
import { renderHtml } from '../reports/html/page.ts'
import { exchangeMaker, failed, passed, sampleRun } from '../reports/sample-run.test-data.ts'
import { browserForAll } from './browser.ts'

const browser = browserForAll()
const [poorContrasts, unreachableScrollers] = ['poor-contrasts.js', 'unreachable-scrollers.js'].map((name) =>
  readFileSync(new URL(name, import.meta.url), 'utf8'),
) as [string, string]

test.skipIf(browser === null).for(['light', 'dark'] as const)(
  'the report is readable and reached by keyboard as a whole: %s',
  async (colorScheme) => {
    if (browser === null) return
    const context = await (await browser).newContext({ colorScheme })
    const page = await context.newPage()
    const exchanges = exchangeMaker(1)(3)
    const outcomes = [failed('CT-106', exchanges), passed('CT-107', exchanges)]
    await page.setContent(renderHtml(buildReport(sampleRun(1, { outcomes }))))
    await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true')
    expect(await page.locator('pre').count()).toBeGreaterThan(5)
    expect(await page.evaluate(unreachableScrollers)).toEqual([])
    expect(await page.evaluate(poorContrasts)).toEqual([])
    await context.close()
  },
)
