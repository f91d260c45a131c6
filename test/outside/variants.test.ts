import { expect, test } from 'vitest'
import { command } from '../command.ts'
import { variantCommand, variants } from '../judge-variants.ts'

const capacity = 16
const defaultPort = 'plugin.limits.default-port'

test.for(variants)(
  'the conforming server with $name is not accused',
  { timeout: 240_000 },
  async ({ name, onlyRequired, environment }) => {
    const level = onlyRequired ? [] : ['--strict']
    const stated = environment === undefined ? ['--capacity', `${capacity}`] : []
    const args = ['run', ...level, ...stated, '--skip', defaultPort, '--exec', variantCommand([name], capacity)]
    const { code, stdout, stderr } = await command(args)
    expect(code, stdout + stderr).toBe(0)
  },
)
