import { describe } from 'vitest'
import { simulatorTest } from '../../cli/vitest/index.ts'
import { given, placeOf, sendTo } from './place.ts'
import { stories } from './stories.ts'

const test = simulatorTest(given)

describe('the Vitest fixture', () => {
  for (const { name, tell } of stories) {
    test(name, ({ simulator }) =>
      tell(
        placeOf(
          simulator,
          sendTo(() => simulator.url),
        ),
      ),
    )
  }
})
