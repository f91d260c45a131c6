import { BroadcastChannel } from 'node:worker_threads'
import { createBirpc } from 'birpc'
import type { Driver } from './driver.ts'

/** How long a driver may take for one step, e.g. to start a slow server. */
const stepLimitMs = 60_000

/** Lets other threads of this process use a driver under a channel name. */
export function offerDriver(driver: Driver, channelName: string): { close(): void } {
  const channel = new BroadcastChannel(channelName)
  createBirpc<Record<string, never>, Driver>(driver, transport(channel))
  return { close: () => channel.close() }
}

/** The driver that another thread offers under this name. */
export function reachDriver(channelName: string): Driver {
  const channel = new BroadcastChannel(channelName)
  // An open channel must not keep the thread alive when the checks are done.
  channel.unref()
  const remote = createBirpc<Driver, Record<string, never>>({}, { ...transport(channel), timeout: stepLimitMs })
  return {
    prepare: (settings) => remote.prepare(settings),
    configure: (id, settings) => remote.configure(id, settings),
    start: (id, patience) => remote.start(id, patience),
    stop: (id) => remote.stop(id),
    crash: (id) => remote.crash(id),
    hasRulesFile: (id) => remote.hasRulesFile(id),
    deleteRulesFile: (id) => remote.deleteRulesFile(id),
    writeRulesFile: (id, text) => remote.writeRulesFile(id, text),
    discard: (id) => remote.discard(id),
  }
}

function transport(channel: BroadcastChannel) {
  return {
    post: (message: unknown) => channel.postMessage(message),
    on: (receive: (message: unknown) => void) => {
      channel.onmessage = (event) => receive((event as MessageEvent).data)
    },
  }
}
