/** `copytrade-tck/nock`: a simulator responds to all requests to an origin, without a port. */
import { createSimulator, type Simulator, type SimulatorOptions } from '../index.ts'
import { createInjector } from './inject.ts'
import { answerOriginBy } from './nock-origin.ts'

export { ConnectionBrokenError } from './inject.ts'
export { InvalidOriginError } from './nock-origin.ts'

/** An origin for which a simulator responds. */
export interface AnsweredOrigin extends Disposable {
  readonly simulator: Simulator
  /** Lets requests to the origin reach the network again. Other nock interceptors stay. */
  readonly restore: () => void
}

/**
 * Lets a simulator respond to every request to `origin` that this process sends with `fetch`, `http` or
 * `https`, or a library built on them, with the exact statuses, headers and bodies, 405 included.
 * Faults that break the connection reach the client as an error with code `ECONNRESET`. Requests to
 * other origins are not touched.
 *
 * @param given a simulator, started or not, or the options of one
 * @throws InvalidOriginError, InvalidOptionError, UnknownQuestionError, UnknownAnswerError
 */
export function answerOrigin(origin: string, given: Simulator | SimulatorOptions): AnsweredOrigin {
  const simulator = 'callback' in given ? given : createSimulator(given)
  const { restore } = answerOriginBy(origin, createInjector(simulator.callback()))
  return { simulator, restore, [Symbol.dispose]: restore }
}
