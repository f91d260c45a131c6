import { expect, test } from 'vitest'
import { runRound } from './round.ts'
import { scenarios } from './scenarios.ts'
import { violations } from './verdict.ts'

/** `npm run attack` plays all of them, many times. */
const short = [
  'delete-previous-in-clean-up',
  'replace-previous',
  'start-append-before-delete',
  'delete-before-post',
  'capacity-overwrites-last-in-fill',
  'lost-delete-response',
  'kill-at-delete',
]
const seed = Number(process.env.TCK_SEED ?? Date.now() % 2 ** 30)

test.concurrent.for(short)(`${'%s'}: every foreign rule is in its place, or the kit names it`, async (name) => {
  const scenario = scenarios.find((one) => one.name === name)
  if (scenario === undefined) throw new Error(`there is no scenario ${name}`)
  const { outcome, reasons, complete } = await runRound(scenario, seed)
  expect({ seed, outcome, reasons, complete }).toMatchObject({ complete: true })
  expect({ seed, reasons, violates: violations.includes(outcome) }).toMatchObject({ violates: false })
})
