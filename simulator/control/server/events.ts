import type { ServerResponse } from 'node:http'
import { writeJson } from '../../server/json.ts'
import type { LogEntry } from '../../server/log.ts'
import type { Json } from '../../server/response.ts'
import { pageState, type ServedApis } from './view.ts'

/** How many journal entries a page loads first. */
const firstEntries = 100
/** Clients may treat a longer silence as a broken connection. */
const heartbeatMs = 15_000
/** A page that does not read is disconnected, to limit the memory. */
const maxWaitingBytes = 16 * 1024 * 1024

/** Server-sent events: `state` after each change, `entry` for each request, `mistake` for each mistake of the client. */
export function streamEvents(served: ServedApis, response: ServerResponse, log: (entry: LogEntry) => void): void {
  let lastState = ''
  let isDue = false
  const fail = (error: unknown) => {
    log({ level: 'error', event: 'control-stream-failed', reason: error instanceof Error ? error.stack : `${error}` })
    response.destroy()
  }
  const write = (text: string) => {
    if (response.writableLength > maxWaitingBytes) response.destroy()
    else response.write(text)
  }
  const sendState = () => {
    isDue = false
    if (response.destroyed) return
    const state = eventText('state', pageState(served))
    if (state !== lastState) write(state)
    lastState = state
  }
  const safely = (work: () => void) => {
    try {
      work()
    } catch (error) {
      fail(error)
    }
  }
  // Simultaneous changes are sent as one event.
  const stateIsDue = () => {
    if (!isDue) setImmediate(safely, sendState)
    isDue = true
  }
  const send = (event: string, value: Json) => safely(() => write(eventText(event, value)))
  response.on('error', fail)
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' })
  safely(() => {
    sendState()
    for (const entry of served.control.journal.find().slice(-firstEntries)) write(eventText('entry', { ...entry }))
  })
  const ends = [
    served.control.journal.subscribe((entry) => {
      send('entry', { ...entry })
      stateIsDue()
    }),
    served.control.followMistakes(({ entry, what, remedy }) => send('mistake', { entry, what, remedy })),
    served.control.subscribe(stateIsDue),
  ]
  if (served.platform !== null) ends.push(served.platform.platform.subscribe(stateIsDue))
  const heartbeat = setInterval(() => write(': keep-alive\n\n'), heartbeatMs).unref()
  response.on('close', () => {
    clearInterval(heartbeat)
    for (const end of ends) end()
  })
}

const eventText = (event: string, value: Json) => `event: ${event}\ndata: ${Buffer.from(writeJson(value))}\n\n`
