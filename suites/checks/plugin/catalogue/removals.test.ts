import { expect, test } from 'vitest'
import { removalRows } from './removals.ts'

/** The index that parsers of a numeral's beginning read, in decimal and with an octal prefix; 0 if there is none. */
function readingsOf(text: string): readonly number[] {
  return [10, /^\s*0\d/.test(text) ? 8 : 10].map((base) => Number.parseInt(text, base) || 0)
}

test('a DELETE that a usual parser of numbers reads as another index needs risk exclusive', () => {
  for (const [name, { send, risk = 'write' }] of Object.entries(removalRows)) {
    const segment = send(10).path.replace('/api/rules/', '')
    const readings = [segment, decodeURIComponent(segment)].flatMap(readingsOf)
    const isSafe = readings.every((index) => index === 10)
    expect(risk, name).toBe(isSafe ? 'write' : 'exclusive')
  }
})
