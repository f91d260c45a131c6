/** `copytrade-tck/vitest`: a simulator as a fixture, and the kit's checks in a suite of your own. */
export {
  type FixtureOptions,
  type Fixtures,
  type RejectionStatus,
  simulatorTest,
  UnexpectedRequestsError,
} from '../../simulator/embed/vitest.ts'
export { describePluginConformance, FailedCheckError, LeftBehindError } from './conformance.ts'
export type { ConformanceOptions, ConformanceTarget } from './options.ts'
