import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandsOf, readPage, root, shellBlocks, userPages } from './pages.ts'
import { notRun } from './run-page.ts'

// test/ci/documents.test.ts runs the others.
test('each command that is not run is in the documents, and its test exists', () => {
  const commands = userPages.flatMap((path) => shellBlocks(readPage(path)).flatMap(commandsOf))
  for (const { command, coveredBy } of notRun) {
    expect(
      commands.some((one) => command.test(one)),
      String(command),
    ).toBe(true)
    expect(existsSync(join(root, coveredBy)), coveredBy).toBe(true)
  }
})
