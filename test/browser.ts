import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { afterAll, test } from 'vitest'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Where Chromium is; undefined or empty where there is none. */
const executablePath = process.env.TCK_CHROMIUM ?? places.find((path) => existsSync(path))

/** A real browser, started once for the file, or null where there is none to start. */
export function browserForAll() {
  if (!executablePath) {
    console.warn(`NOT TESTED: there is no Chromium at ${places.join(', ')}; set TCK_CHROMIUM to its path.`)
    if (process.env.CI === 'true') {
      test('with CI=true there is a Chromium', () => {
        throw new Error('Install chromium: the live page cannot be tested without it.')
      })
    }
    return null
  }
  // Chromium refuses its sandbox to root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = chromium.launch({ executablePath, args })
  afterAll(async () => (await browser).close())
  return browser
}
