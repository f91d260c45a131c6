import { randomInt } from 'node:crypto'
import { wrongKeys } from '../../suites/session/wrong-keys.ts'

const alphabets = ['abcdefghijkmnpqrstuvwyz23456789', '0123456789', 'a']
const triesEach = 100

/**
 * A key in place of the recorded one, which nobody knows any more: of the same length, and with as
 * many wrong keys that resemble it, so that the checks send the same number of requests.
 */
export function standInFor({
  length,
  wrongKeys: count,
}: {
  readonly length: number
  readonly wrongKeys: number
}): string {
  const drawn = alphabets.flatMap((letters) =>
    Array.from({ length: triesEach }, () =>
      Array.from({ length }, () => letters[randomInt(letters.length)] ?? '').join(''),
    ),
  )
  return drawn.find((key) => wrongKeys(key).length === count) ?? drawn[0] ?? ''
}
