import { expect, test } from 'vitest'
import { choiceSeed, someOf } from '../../fixtures/servers/some-of.ts'
import { command } from '../command.ts'
import { variantCommand, variants } from '../judge-variants.ts'

const capacity = 16
const defaultPort = 'plugin.limits.default-port'

const chosen = someOf(
  variants.map(({ name }) => name),
  4,
)

test.for(variants.filter(({ name }) => chosen.includes(name)))(
  `the conforming server with $name is not accused (TCK_SEED=${choiceSeed})`,
  { timeout: 600_000 },
  async ({ name, onlyRequired }) => {
    const level = onlyRequired ? [] : ['--strict']
    const args = [
      'run',
      ...level,
      '--seed',
      `${choiceSeed}`,
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
