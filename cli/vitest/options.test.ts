import { expect, test } from 'vitest'
import { defaultRunFlags } from '../options/run-definitions.ts'
import { describePluginConformance } from './index.ts'
import { optionNames, resolveConformance } from './options.ts'

test('a misspelt option is rejected, since ignoring it could hide failures', () => {
  const target = { exec: 'node server.js', strct: true }
  expect(() => describePluginConformance(target)).toThrow('There is no option "strct". Did you mean "strict"?')
})

test('an option that is undefined has its default', async () => {
  const names = Object.keys(optionNames).filter((name) => name !== 'exec')
  const unset = Object.fromEntries(names.map((name) => [name, undefined]))
  const resolved = await resolveConformance({ ...unset, exec: 'node server.js' }, 1)
  const { only, skip, maxFill, logins, out, strict, complete, timeout } = defaultRunFlags()
  expect(resolved).toMatchObject({ only, skip, maxFill, logins, out, strict, complete, timeoutMs: timeout })
})
