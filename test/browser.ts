import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { chromium, type Page } from 'playwright-core'
import { afterAll, test } from 'vitest'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The path of Chromium; undefined or empty if there is none. */
const executablePath = process.env.TCK_CHROMIUM ?? places.find((path) => existsSync(path))

/** A real browser, started once per file; null if there is none. */
export function browserForAll() {
  if (!executablePath) {
    console.warn(`NOT TESTED: there is no Chromium at ${places.join(', ')}; set TCK_CHROMIUM to its path.`)
    if (process.env.CI === 'true') {
      test('with CI=true Chromium is installed', () => {
        throw new Error('Install chromium: the live page cannot be tested without it.')
      })
    }
    return null
  }
  // Chromium does not run its sandbox as root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = chromium.launch({ executablePath, args })
  afterAll(async () => (await browser).close())
  return browser
}

/** What is hard to read or to reach on a page, one line each. */
export async function accessibilityProblems(page: Page): Promise<readonly string[]> {
  // The page's policy applies to added scripts, but not to the debugger.
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    "axe.run({ resultTypes: ['violations'] })",
  )
  const excess = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120))}`),
    ...(excess > 0 ? [`The page is ${excess} pixels too wide.`] : []),
  ]
}
