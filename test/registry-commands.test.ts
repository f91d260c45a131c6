import { expect, test } from 'vitest'
import { command } from './command.ts'

test.for(['requirements', 'questions', 'defects'])('%s prints the entries of both APIs', async (name) => {
  const { code, stdout } = await command([name, '--json'])
  expect(code).toBe(0)
  const printed = JSON.parse(stdout) as Record<string, readonly { id: string }[]>
  const ids = (printed[name] ?? []).map(({ id }) => id)
  const platform = ids.filter((id) => id.startsWith('platform.'))
  expect(platform.length).toBeGreaterThan(40)
  expect(ids.length).toBeGreaterThan(platform.length + 50)
  expect((await command([name])).stdout).toContain(`\n${platform[0]}  (`)
})
