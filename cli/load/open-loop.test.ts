import { expect, test } from 'vitest'
import { openLoop } from './open-loop.ts'

test('requests are sent when they are due, also while none is answered', async () => {
  const due: number[] = []
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await openLoop({
    ...{ rate: 200, durationMs: 100, signal: AbortSignal.timeout(10_000) },
    send(place, dueAt) {
      due.push(dueAt)
      // No response comes before the last request was sent: a closed loop would wait for ever.
      if (place === 19) answer()
      return answered
    },
  })
  const gaps = due.slice(1).map((time, place) => time - (due[place] ?? 0))
  expect(gaps.map(Math.round)).toEqual(Array.from({ length: 19 }, () => 5))
})

test('a signal ends it at once, and open requests are waited for', async () => {
  const stop = new AbortController()
  let sent = 0
  await openLoop({
    ...{ rate: 1_000, durationMs: 60_000, signal: stop.signal },
    async send() {
      sent += 1
      if (sent === 3) stop.abort()
    },
  })
  expect(sent).toBe(3)
})
