import { randomInt } from 'node:crypto'
import type { KeyTraits } from '../../suites/recording/recording.ts'
import { likenessOf, wrongKeys } from '../../suites/session/wrong-keys.ts'

const letters = 'abcdefghijkmnpqrstuvw'
const digits = '0123456789'
const alphabets = [`${letters}yz23456789`, letters, digits]
const triesEach = 100

/**
 * A key in place of the recorded one, which nobody knows any more: of the same length, and with wrong keys
 * that resemble it and each other in the same way, so that the checks send the same requests.
 */
export function standInFor({ length, wrongKeys: count, likeness }: KeyTraits): string {
  const drawn = alphabets.flatMap((alphabet) =>
    Array.from({ length: triesEach }, () => alphabet).flatMap((signs) =>
      shapes.map((shape) => shape(draw(signs, length))),
    ),
  )
  const alike = drawn.find((key) => likenessOf(key) === likeness)
  return alike ?? drawn.find((key) => wrongKeys(key).length === count) ?? drawn[0] ?? ''
}

function draw(signs: string, length: number): readonly string[] {
  return Array.from({ length }, () => signs[randomInt(signs.length)] ?? '')
}

/** What a key may look like besides having been drawn: where signs recur, fewer wrong keys differ from it. */
const shapes: readonly ((key: readonly string[]) => string)[] = [
  (key) => key.join(''),
  // The two signs in the middle are the same.
  (key) => key.with(Math.floor(key.length / 2) - 1, key[Math.floor(key.length / 2)] ?? '').join(''),
  // The same from behind.
  (key) => key.map((sign, at) => (at * 2 < key.length ? sign : (key[key.length - 1 - at] ?? ''))).join(''),
  (key) => key.map(() => key[0] ?? '').join(''),
]
