import { expect, test } from 'vitest'
import { likenessOf, wrongKeys } from '../../suites/session/wrong-keys.ts'
import { standInFor } from './stand-in.ts'

const traitsOf = (key: string) => ({ length: key.length, wrongKeys: wrongKeys(key).length })

const withLetters = ['a-key-that-nobody-may-see', 'SECRET', 'k', 'zzzzzzzz', 'abccba12', 'level', 'key']
const withoutLetters = ['4711-0815', '48-15-16-23-42-4815', '0000-1111-2222-3333', '7391.2846.5511', '12345', '1234']

test.for([...withLetters, ...withoutLetters])(
  'a stand-in for a key like %s has wrong keys that resemble it in the same way, and is another one',
  (key) => {
    for (let time = 0; time < 20; time += 1) {
      const standIn = standInFor({ ...traitsOf(key), likeness: likenessOf(key) })
      expect(standIn).toHaveLength(key.length)
      expect(likenessOf(standIn)).toBe(likenessOf(key))
      if (key.length > 8) expect(standIn).not.toBe(key)
    }
  },
)

test.for(['a-key-that-nobody-may-see', '0123456789', 'aaaa', 'SECRET', 'k'])(
  'without their likeness, as earlier kits recorded it, a stand-in for %s has as many wrong keys',
  (key) => {
    const standIn = standInFor(traitsOf(key))
    expect(wrongKeys(standIn)).toHaveLength(wrongKeys(key).length)
  },
)
