import { describe } from 'vitest'
import { simulatorTest } from '../../cli/vitest/index.ts'
import { given, placeOf, sendTo } from './place.ts'
import { scenarios } from './scenarios.ts'

const test = simulatorTest(given)

describe('the Vitest fixture', () => {
  for (const { name, run } of scenarios) {
    test(name, ({ simulator }) =>
      run(
        placeOf(
          simulator,
          sendTo(() => simulator.url),
        ),
      ),
    )
  }
})
