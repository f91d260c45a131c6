import { expect, test } from 'vitest'
import { wrongKeys } from '../../suites/session/wrong-keys.ts'
import { standInFor } from './stand-in.ts'

test.for(['a-key-that-nobody-may-see', '0123456789', 'aaaa', 'SECRET', 'k'])(
  'a stand-in for a key like %s has its length and as many wrong keys, and is another one',
  (key) => {
    const standIn = standInFor({ length: key.length, wrongKeys: wrongKeys(key).length })
    expect(standIn).toHaveLength(key.length)
    expect(wrongKeys(standIn)).toHaveLength(wrongKeys(key).length)
    if (key.length > 4) expect(standIn).not.toBe(key)
  },
)
