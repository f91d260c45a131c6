import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { assert, asyncProperty, integer, uniqueArray } from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { createRedactor } from '../../http/redact.ts'
import { logOutput } from './process-output.ts'

const secret = 'a-secret-of-some-length'

function outputFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'server.log')
}

/** The log of these chunks, which may come from either stream. */
async function kept(chunks: readonly Uint8Array[], file = outputFile()): Promise<string> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  logOutput(
    Object.assign(new EventEmitter(), { stdout, stderr }) as unknown as ChildProcess,
    file,
    createRedactor([secret]),
  )
  for (const chunk of chunks) stdout.write(chunk)
  stdout.end()
  stderr.end()
  await Promise.all([finished(stdout), finished(stderr)])
  return readFileSync(file, 'utf8')
}

test('a secret is redacted wherever it is split, and split characters are joined', async () => {
  const text = Buffer.from(`ready €\nthe key is ${secret}, äöü 🙂\n${secret}\nlast`)
  const file = outputFile()
  await assert(
    asyncProperty(uniqueArray(integer({ min: 0, max: text.length }), { maxLength: 8 }), async (cuts) => {
      rmSync(file, { force: true })
      const places = [0, ...cuts.toSorted((a, b) => a - b), text.length]
      const chunks = places.slice(1).map((end, i) => text.subarray(places[i], end))
      expect(await kept(chunks, file)).toBe('ready €\nthe key is [redacted], äöü 🙂\n[redacted]\nlast\n')
    }),
  )
})

test('lines of the two streams are not mixed', async () => {
  const file = outputFile()
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  logOutput(Object.assign(new EventEmitter(), { stdout, stderr }) as unknown as ChildProcess, file, (text) => text)
  for (const part of ['one ', 'two\n']) {
    stdout.write(`out ${part}`)
    stderr.write(`err ${part}`)
  }
  stdout.end()
  stderr.end()
  await Promise.all([finished(stdout), finished(stderr)])
  expect(readFileSync(file, 'utf8').split('\n').toSorted()).toEqual(['', 'err one err two', 'out one out two'])
})

test('output that cannot be written to the log is read on, and its last lines are known', async () => {
  const file = outputFile()
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const lastLines = logOutput({ stdout, stderr }, join(file, 'not-a-folder'), (text) => text)
  stdout.end('one\ntwo\n')
  stderr.end()
  await Promise.all([finished(stdout), finished(stderr)])
  expect(lastLines()).toEqual(['one', 'two'])
})
