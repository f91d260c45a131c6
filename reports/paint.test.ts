import { PassThrough } from 'node:stream'
import { WriteStream } from 'node:tty'
import { afterEach, expect, test, vi } from 'vitest'
import { paintFor } from './paint.ts'

afterEach(() => vi.unstubAllEnvs())

/** A stream like a terminal. Its colours depend on the environment. */
const terminal = () =>
  Object.assign(new PassThrough(), { isTTY: true, getColorDepth: WriteStream.prototype.getColorDepth })

test('a stream that is not a terminal gets plain text', () => {
  vi.stubEnv('FORCE_COLOR', undefined)
  expect(paintFor(new PassThrough())('red', 'FAILED')).toBe('FAILED')
})

test('a terminal gets colours, unless NO_COLOR is set', () => {
  vi.stubEnv('FORCE_COLOR', undefined)
  vi.stubEnv('NO_COLOR', undefined)
  vi.stubEnv('TERM', 'xterm-256color')
  // In CI the colours are detected differently.
  vi.stubEnv('CI', undefined)
  expect(paintFor(terminal())('red', 'FAILED')).toBe('\u001b[31mFAILED\u001b[39m')
  vi.stubEnv('NO_COLOR', '1')
  expect(paintFor(terminal())('red', 'FAILED')).toBe('FAILED')
})
