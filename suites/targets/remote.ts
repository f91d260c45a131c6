import { once } from 'node:events'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { ConcurrentEdit } from '../safety/list-change-errors.ts'
import { type Driver, DriverFailed, PortTaken } from './driver.ts'
import { StepFailed, StepSkipped } from './live/step.ts'

/** A call from another thread, and the port for the reply. */
interface Call {
  readonly step: keyof Driver
  readonly given: readonly unknown[]
  readonly replyTo: MessagePort
}

type Reply = { readonly result: unknown } | { readonly failure: Failure }

/** The errors that a driver may throw, since the class of an error is lost between threads. */
const errors = { ConcurrentEdit, StepSkipped, StepFailed, PortTaken, DriverFailed }

/** Why a step failed, as data: the class and its arguments. */
type Failure = readonly [keyof typeof errors, ...given: readonly unknown[]]

/** Lets another thread use a driver. The port is sent there. */
export function offerDriver(driver: Driver): { readonly port: MessagePort; close(): void } {
  const { port1, port2 } = new MessageChannel()
  port1.on('message', async ({ step, given, replyTo }: Call) => {
    replyTo.postMessage(await carryOut(driver[step], given))
    replyTo.close()
  })
  return { port: port2, close: () => port1.close() }
}

/** The driver at the other end of a port of `offerDriver`. */
export function reachDriver(port: MessagePort): Driver {
  // An open port must not keep the thread alive after the checks.
  port.unref()
  const call =
    <Step extends keyof Driver>(step: Step) =>
    // How long a step may take is up to the driver: a person may be asked to do it.
    async (...given: Parameters<Driver[Step]>): Promise<Awaited<ReturnType<Driver[Step]>>> => {
      const { port1, port2 } = new MessageChannel()
      port.postMessage({ step, given, replyTo: port2 } satisfies Call, [port2])
      const [reply] = (await once(port1, 'message')) as [Reply]
      if ('result' in reply) return reply.result as Awaited<ReturnType<Driver[Step]>>
      const [kind, ...args] = reply.failure
      throw Reflect.construct(errors[kind], args)
    }
  return {
    prepare: call('prepare'),
    prepareLike: call('prepareLike'),
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

async function carryOut(step: Driver[keyof Driver], given: readonly unknown[]): Promise<Reply> {
  try {
    return { result: await (step as (...args: readonly unknown[]) => Promise<unknown>)(...given) }
  } catch (error) {
    return { failure: failureOf(error) }
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof ConcurrentEdit) return ['ConcurrentEdit', error.reason, error.changes]
  if (error instanceof StepSkipped) return ['StepSkipped', error.message, error.forAll]
  for (const kind of ['StepFailed', 'PortTaken', 'DriverFailed'] as const) {
    if (error instanceof errors[kind]) return [kind, error.message]
  }
  // An unexpected error is a bug, so its stack is kept.
  return ['DriverFailed', error instanceof Error ? (error.stack ?? error.message) : String(error)]
}
