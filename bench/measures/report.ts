import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import type { Measurement } from '../row.ts'

const program = fileURLToPath(new URL('write-report.ts', import.meta.url))
const tsx = fileURLToPath(new URL('../node_modules/.bin/tsx', import.meta.url))

/** All files of a report with 300 requirements and 3,000 exchanges, and the same bytes alone; each in a new process. */
export const writing: Measurement = {
  rounds: 5,
  warmUp: false,
  open: async (workspace) => {
    const write = async (...args: readonly string[]) =>
      JSON.parse((await workspace.run({ command: tsx, args: [program, ...args] })).stdout)
    await write('report', workspace.path('report'))
    return {
      product: () => write('report', workspace.path('report')),
      limit: () => write('bytes', workspace.path('report')),
    }
  },
}

/**
 * The time from navigation to first contentful paint in Chromium, for a page with 300 requirements and 5,100 exchanges.
 */
export const firstPaint: Measurement = {
  rounds: 5,
  warmUp: true,
  open: async (workspace) => {
    const folder = workspace.path('report')
    await workspace.run({ command: tsx, args: [program, 'report', folder, '17'] })
    const executablePath = process.env.TCK_CHROMIUM ?? '/usr/bin/chromium'
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    workspace.onEnd(() => browser.close())
    const open = async () => {
      const page = await browser.newPage()
      await page.goto(String(pathToFileURL(`${folder}/report.html`)))
      const entry = await page.waitForFunction('performance.getEntriesByName("first-contentful-paint")[0]?.startTime')
      const milliseconds = Number(await entry.jsonValue())
      await page.close()
      return { seconds: milliseconds / 1000 }
    }
    return { product: open }
  },
}
