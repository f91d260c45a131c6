import { describe } from 'vitest'
import { simulatorTest } from '../../cli/vitest/index.ts'
import { environmentOf, given, sendTo } from './environment.ts'
import { scenarios } from './scenarios.ts'

const test = simulatorTest(given)

describe('the Vitest fixture', () => {
  for (const { name, run } of scenarios) {
    test(name, ({ simulator }) =>
      run(
        environmentOf(
          simulator,
          sendTo(() => simulator.url),
        ),
      ),
    )
  }
})
