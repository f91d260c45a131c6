import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { showWait } from './start-main.ts'

/** The output during a wait of 4.5 seconds. */
async function writtenTo(isTTY: boolean): Promise<string> {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const stream = Object.assign(new PassThrough(), { isTTY })
  const work = () => new Promise((resolve) => setTimeout(resolve, 4_500))
  const waited = showWait(stream as unknown as NodeJS.WriteStream, 'Waiting', work)
  await vi.advanceTimersByTimeAsync(4_500)
  await waited
  stream.end()
  return text(stream)
}

test('a terminal shows the wait after two seconds, and clears the line at the end', async () => {
  const written = await writtenTo(true)
  expect(written.match(/Waiting: \d s/g)).toEqual(['Waiting: 2 s', 'Waiting: 3 s', 'Waiting: 4 s'])
  expect(written.endsWith('\u001b[2K\u001b[1G')).toBe(true)
})

test('redirected output does not have the line', async () => {
  expect(await writtenTo(false)).toBe('')
})
