import { test, vi } from 'vitest'
import { readPage, shellBlocks, userPages } from '../documents/pages.ts'
import { runPage } from '../documents/run-page.ts'

// Each page waits for its own processes, on two cores.
vi.setConfig({ maxConcurrency: 2 })

const pages = userPages.filter((path) => shellBlocks(readPage(path)).length > 0)

test.concurrent.for(pages)('the commands of %s run', { timeout: 300_000 }, (path, { onTestFinished }) =>
  runPage(path, onTestFinished),
)
