import { test } from 'vitest'
import { choiceSeed } from '../../fixtures/servers/some-of.ts'
import { command } from '../command.ts'
import { variantCommand, variants } from '../judge-variants.ts'

const capacity = 16
const defaultPort = 'plugin.limits.default-port'

test.concurrent.for(variants)(
  `the conforming server with $name is not accused (TCK_SEED=${choiceSeed})`,
  { timeout: 600_000 },
  async ({ name, onlyRequired }, { onTestFinished: onEnd, expect }) => {
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
    const { code, stdout, stderr } = await command(args, { onEnd })
    expect(code, stdout + stderr).toBe(0)
  },
)
