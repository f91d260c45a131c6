import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { emptyFolder } from '../command.ts'
import { root } from '../documents/pages.ts'

/** Without the times of the lines and the port. */
const withoutVariableParts = (svg: string) => svg.replaceAll(/animation-delay:[\d.]+s|(?<=127\.0\.0\.1:)\d+/g, '')

test('the picture in the README shows the current output of the kit: `npm run session-picture`', async () => {
  const file = join(emptyFolder(), 'session.svg')
  await promisify(execFile)(process.execPath, [join(root, 'scripts/session-picture.js'), file])
  const now = readFileSync(file, 'utf8')
  expect(now).toContain('>non-conformant</tspan>')
  expect(withoutVariableParts(readFileSync(join(root, 'docs/session.svg'), 'utf8'))).toBe(withoutVariableParts(now))
})
