import { expect, test } from 'vitest'
import { nothingKnown, type SilentStart } from '../../../suites/targets/own-servers.ts'
import { type ExpectedServer, isFinal, silentStart } from './start-main.ts'

const port = 12_345
const node = { pid: 77, name: 'node' }

interface Case extends Partial<SilentStart> {
  readonly kind?: ExpectedServer['kind']
  readonly says: string
  /** Text in the remedy. */
  readonly remedy: string
  readonly final?: boolean
}

const ended = (code: number | null, signal: string | null = null) => ({ code, signal })
const at = (address: string, its = port) => [{ address, port: its }]

const cases: readonly Case[] = [
  { ended: ended(3), says: 'The server ended with exit code 3 before it responded.', remedy: 'Fix the error' },
  { ended: ended(0), says: 'The server ended with exit code 0 before it responded.', remedy: 'without `&`' },
  { ended: ended(null, 'SIGSEGV'), says: 'The server ended by SIGSEGV before it responded.', remedy: 'Fix the error' },
  { ended: ended(127), says: 'The command of `--exec` was not found', remedy: 'current folder', final: true },
  {
    ended: ended(127),
    kind: 'container',
    says: 'The command of the image was not found',
    remedy: 'path.',
    final: true,
  },
  { ended: ended(126), says: 'The command of `--exec` cannot be executed', remedy: 'executable', final: true },
  {
    ended: ended(0),
    processes: [node],
    says: 'in the background (process 77, node).',
    remedy: 'without `&`',
    final: true,
  },
  {
    listening: at('127.0.0.1', 8080),
    says: 'The server listens at 127.0.0.1:8080, and not at 127.0.0.1:12345.',
    remedy: 'TCK_PORT',
    final: true,
  },
  {
    listening: at('[::1]'),
    says: 'The server listens at [::1]:12345, and not at 127.0.0.1:12345.',
    remedy: '127.0.0.1',
    final: true,
  },
  { listening: at('0.0.0.0'), says: 'accepts connections at 127.0.0.1:12345', remedy: 'TLS', final: true },
  { listening: [], says: 'The server runs, but listens at no port after 30 s.', remedy: 'TCK_PORT' },
  { listening: null, says: 'The server sent no HTTP response at 127.0.0.1:12345 in 30 s.', remedy: 'TCK_PORT' },
  {
    kind: 'container',
    listening: at('127.0.0.1'),
    says: 'The server listens at 127.0.0.1:12345 inside the container, and not at 0.0.0.0:12345.',
    remedy: 'TCK_HOST',
    final: true,
  },
  {
    kind: 'container',
    listening: at('[::]'),
    says: 'accepts connections at 0.0.0.0:12345',
    remedy: 'TLS',
    final: true,
  },
]

test.for(cases)('$says', ({ kind = 'exec', says, remedy, final = false, ...known }) => {
  const facts = { ...nothingKnown, ...known }
  const error = silentStart(facts, { kind, port, log: 'tck-report/server.log', seconds: 30 })
  expect(error).toMatchObject({
    exitCode: 4,
    message: expect.stringContaining(says),
    hint: expect.stringMatching(/^It printed nothing\.\n/),
  })
  expect(error.hint).toContain(remedy)
  expect(isFinal(facts)).toBe(final)
})

test('the last lines of the output are shown without control characters', () => {
  const facts = { ...nothingKnown, ended: ended(1), lastLines: ['no licence', 'bye\u001b[2J'] }
  const { hint } = silentStart(facts, { kind: 'exec', port, log: 'out/server.log', seconds: 30 })
  expect(hint).toMatch(/^Its last output, from out\/server\.log:\n {2}no licence\n {2}bye\\u001b\[2J\n/)
})
