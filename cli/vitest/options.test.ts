import { expect, test } from 'vitest'
import { describePluginConformance } from './index.ts'

test('a misspelt option is rejected, since ignoring it could hide failures', () => {
  const target = { exec: 'node server.js', strct: true }
  expect(() => describePluginConformance(target)).toThrow('There is no option "strct". Did you mean "strict"?')
})
