import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Exchange } from '../engine/outcome.ts'
import { answerOf, NoAnswer } from '../http/answer.ts'
import type { Client, Request } from '../http/client.ts'
import { createRedactor } from '../safety/redact.ts'
import { readRecording, UnreadableRecordingError } from './read.ts'
import { appendLine, recordingTape } from './record.ts'
import { bytesFrom, recordingSchema } from './recording.ts'
import { NotRecorded, numberHeader, replayTape } from './replay.ts'

const key = 'the-real-key-77'
const standIn = 'a-stand-in-key9'

const head = {
  kind: 'run',
  schema: recordingSchema,
  kit: { name: 'k', version: '1', requirementsVersion: 'a' },
  startedAt: '2026-11-21T04:00:00.000Z',
  url: 'http://plugin.example:8443',
  plugin: null,
  before: [],
  risk: 'write',
  only: [],
  skip: [],
  capacity: null,
  maxFill: 10,
  thorough: 1,
  seed: 1,
  logins: { from: 1, to: 10 },
  timeoutMs: 100,
  key: { length: key.length, wrongKeys: 11 },
} as const

const request = (changes: Partial<Request> = {}): Request => ({
  method: 'GET',
  path: '/api/rules',
  headers: { 'X-API-Key': key },
  body: null,
  ...changes,
})

const exchange = { failure: 'it took too long' } as Exchange

function recordingFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'r.jsonl')
  appendLine(file, head)
  return file
}

const redact = createRedactor([key])
const replaying = { redact: createRedactor([standIn]), standIn }

/** Answers with what the request says, and remembers what reached it. */
function echo(): { client: Client; sent: Request[] } {
  const sent: Request[] = []
  const client: Client = async (request) => {
    sent.push(request)
    if (request.path === '/silence') throw new NoAnswer('no answer', exchange)
    return answerOf(200, { 'x-seen': key }, Buffer.from([0xff, ...Buffer.from(`${request.path} ${key}`)]), exchange)
  }
  return { client, sent }
}

test('a recording holds no key, in text or in bytes, and plays the stand-in in its place', async () => {
  const file = recordingFile()
  const tape = recordingTape(file, redact)
  tape.begin('CT-1', 3)
  await tape.client(echo().client)(request({ body: Buffer.from(`{"key":"${key}"}`) }))
  expect(readFileSync(file, 'utf8')).not.toContain(key)
  expect(Buffer.from(readFileSync(file, 'utf8'), 'base64').toString('latin1')).not.toContain(key)
  const [one] = readRecording(file).checks.get('CT-1')?.exchanges ?? []
  if (typeof one?.outcome !== 'object') throw new Error('there is no answer')
  expect(bytesFrom(one.outcome.body, standIn)[0]).toBe(0xff)
  expect(one.outcome.headers).toEqual({ 'x-seen': '[redacted]' })
})

test('a replayed request finds the recorded one that is the same but for the key, each only once', async () => {
  const file = recordingFile()
  const tape = recordingTape(file, redact)
  tape.begin('CT-1', 3)
  const record = tape.client(echo().client)
  await record(request())
  await record(request({ path: '/api/status' }))
  await record(request())
  await expect(record(request({ path: '/silence' }))).rejects.toThrow(NoAnswer)

  const recording = readRecording(file)
  const replay = replayTape(recording, replaying)
  expect(replay.begin('CT-1', 0)).toBe(3)
  const { client, sent } = echo()
  const ask = replay.client(client)
  const again = request({ headers: { 'X-API-Key': standIn } })
  await ask({ ...again, path: '/api/status' })
  await ask(again)
  await ask(again)
  expect(sent.map(({ headers }) => headers[numberHeader])).toEqual(['2', '1', '3'])
  await expect(ask(again)).rejects.toThrow(NotRecorded)
  await expect(ask(request())).rejects.toThrow(NotRecorded)
  expect(recording.checks.get('CT-1')?.exchanges.at(-1)?.outcome).toBe('it took too long')
})

test('a check that was not recorded finds nothing', async () => {
  const replay = replayTape(readRecording(recordingFile()), replaying)
  expect(replay.begin('CT-2', 5)).toBe(5)
  await expect(replay.client(echo().client)(request())).rejects.toThrow(NotRecorded)
  await expect(
    replay.raw(async () => ({ answers: [], end: 'closed' }))({ bytes: Buffer.from('x'), answers: 1 }),
  ).rejects.toThrow(NotRecorded)
})

test('a line that is no JSON makes a recording unreadable', () => {
  const file = recordingFile()
  appendFileSync(file, '{"kind":')
  expect(() => readRecording(file)).toThrow(UnreadableRecordingError)
})
