import { expect, test } from 'vitest'
import { seed, someOf } from '../../fixtures/test-size.ts'
import { runRound } from '../attack/round.ts'
import { scenarios } from '../attack/scenarios.ts'
import { violations } from '../attack/verdict.ts'

/** `npm run attack` plays all scenarios many times. */
const short = [
  'delete-previous-in-clean-up',
  'replace-previous',
  'start-append-before-delete',
  'delete-before-post',
  'capacity-overwrites-last-in-fill',
  'lost-delete-response',
  'kill-at-delete',
]

test.concurrent.for(someOf(short, 3))(
  `${'%s'}: every foreign rule is at its position, or the kit names it (TCK_SEED=${seed})`,
  async (name) => {
    const scenario = scenarios.find((one) => one.name === name)
    if (scenario === undefined) throw new Error(`there is no scenario ${name}`)
    const { outcome, reasons, complete } = await runRound(scenario, seed)
    expect({ outcome, reasons, complete }).toMatchObject({ complete: true })
    expect({ reasons, violates: violations.includes(outcome) }).toMatchObject({ violates: false })
  },
)
