import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { showWait } from './start-main.ts'

/** What is written during a wait of four and a half seconds. */
async function writtenTo(isTTY: boolean): Promise<string> {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const stream = Object.assign(new PassThrough(), { isTTY }) as unknown as NodeJS.WriteStream
  const work = () => new Promise((resolve) => setTimeout(resolve, 4_500))
  const waited = showWait(stream, 'Waiting', work)
  await vi.advanceTimersByTimeAsync(4_500)
  await waited
  return String(stream.read() ?? '')
}

test('a terminal shows what is waited for after two seconds, and nothing is left of it', async () => {
  const written = await writtenTo(true)
  expect(written.match(/Waiting: \d s/g)).toEqual(['Waiting: 2 s', 'Waiting: 3 s', 'Waiting: 4 s'])
  expect(written.endsWith('\u001b[2K\u001b[1G')).toBe(true)
})

test('a file is not filled with it', async () => {
  expect(await writtenTo(false)).toBe('')
})
