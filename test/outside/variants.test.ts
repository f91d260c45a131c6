import { expect, test } from 'vitest'
import { command } from '../command.ts'
import { variantCommand, variants } from '../judge-variants.ts'

const capacity = 16
const defaultPort = 'plugin.limits.default-port'

test.for(variants)(
  'the conforming server with $name is not accused',
  { timeout: 240_000 },
  async ({ name, onlyRequired }) => {
    const level = onlyRequired ? [] : ['--strict']
    const args = [
      'run',
      ...level,
      '--capacity',
      `${capacity}`,
      '--skip',
      defaultPort,
      '--exec',
      variantCommand([name], capacity),
    ]
    const { code, stdout, stderr } = await command(args)
    expect(code, stdout + stderr).toBe(0)
  },
)
