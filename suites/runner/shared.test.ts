import { expect, test } from 'vitest'
import { redactorFor } from './shared.ts'

test.for(['k', 'key', 'a-key-of-tests'])(
  'the key %s in quotes, before a comma or in JSON is not called a wrong key',
  (key) => {
    const redact = redactorFor([{ target: { key }, secrets: [key] }])
    expect(redact(`API_Key="${key}", '${key}',x {"API_Key":"${key}"}`)).toBe(
      `API_Key="[redacted]", '[redacted]',x {"API_Key":"[redacted]"}`,
    )
  },
)
