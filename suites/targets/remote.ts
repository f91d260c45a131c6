import { BroadcastChannel } from 'node:worker_threads'
import { createBirpc } from 'birpc'
import { ConcurrentEdit } from '../safety/concurrent-edit.ts'
import { type Driver, DriverFailed } from './driver.ts'
import { StepFailed, StepSkipped } from './live/step.ts'

/** A failed step as it can be sent to another thread, where the class of an error would be lost. */
interface Failure {
  readonly name: string
  readonly message: string
  readonly changes: readonly string[]
}

type Answered = { readonly result: unknown } | { readonly failure: Failure }

/** A driver whose answers say how a step failed. */
interface RemoteDriver {
  call(name: keyof Driver, given: readonly unknown[]): Promise<Answered>
}

/** Lets other threads of this process use a driver under a channel name. */
export function offerDriver(driver: Driver, channelName: string): { close(): void } {
  const channel = new BroadcastChannel(channelName)
  const remote: RemoteDriver = {
    async call(name, given) {
      try {
        return { result: await (driver[name] as (...args: readonly unknown[]) => Promise<unknown>)(...given) }
      } catch (error) {
        return { failure: failureOf(error) }
      }
    },
  }
  let isOpen = true
  const { post, on } = transport(channel)
  // A step that is still under way when the run is broken off has nobody left to answer to.
  createBirpc<Record<string, never>, RemoteDriver>(remote, { on, post: (message) => isOpen && post(message) })
  return {
    close() {
      isOpen = false
      channel.close()
    },
  }
}

/** The driver that another thread offers under this name. */
export function reachDriver(channelName: string): Driver {
  const channel = new BroadcastChannel(channelName)
  // An open channel must not keep the thread alive when the checks are done.
  channel.unref()
  // How long a step may take is for the driver to say: a person may be asked to do it.
  const remote = createBirpc<RemoteDriver, Record<string, never>>({}, { ...transport(channel), timeout: -1 })
  const call =
    <Name extends keyof Driver>(name: Name) =>
    async (...given: Parameters<Driver[Name]>): Promise<Awaited<ReturnType<Driver[Name]>>> => {
      const answered = await remote.call(name, given)
      if ('failure' in answered) throw errorOf(answered.failure)
      return answered.result as Awaited<ReturnType<Driver[Name]>>
    }
  return {
    prepare: call('prepare'),
    configure: call('configure'),
    start: call('start'),
    stop: call('stop'),
    crash: call('crash'),
    hasRulesFile: call('hasRulesFile'),
    deleteRulesFile: call('deleteRulesFile'),
    writeRulesFile: call('writeRulesFile'),
    discard: call('discard'),
  }
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), changes: [] }
  // What is unforeseen is looked into with its stack.
  const message = isForeseen(error) ? error.message : (error.stack ?? error.message)
  return { name: error.name, message, changes: error instanceof ConcurrentEdit ? error.changes : [] }
}

function isForeseen(error: Error): boolean {
  return [DriverFailed, StepFailed, StepSkipped, ConcurrentEdit].some((kind) => error instanceof kind)
}

function errorOf({ name, message, changes }: Failure): Error {
  if (name === 'ConcurrentEdit') return new ConcurrentEdit(message.replace(`: ${changes.join('; ')}`, ''), changes)
  if (name === 'StepFailed') return new StepFailed(message)
  if (name === 'StepSkipped') return new StepSkipped(message)
  return new DriverFailed(message)
}

function transport(channel: BroadcastChannel) {
  return {
    post: (message: unknown) => channel.postMessage(message),
    on: (receive: (message: unknown) => void) => {
      channel.onmessage = (event) => receive((event as MessageEvent).data)
    },
  }
}
