import { type TestAPI, test } from 'vitest'
import {
  createSimulator,
  InvalidOptionError,
  type JournalEntry,
  type Simulator,
  type SimulatorOptions,
} from '../index.ts'

/** The options of the simulator fixture. */
export interface FixtureOptions extends SimulatorOptions {
  /**
   * `file`: one simulator for all tests of a file, reset before each of them. `test`: one for each test, as concurrent
   * tests need. Default: `file`.
   */
  readonly per?: 'file' | 'test'
  /**
   * Whether a test fails if the plugin rejected a request and the test did not expect it. Responses of
   * faults do not count. Needs a journal. Default: false.
   */
  readonly failOnUnexpected?: boolean
}

/** The fixtures that a test can use. */
export interface Fixtures {
  /** A listening simulator, reset before each test. */
  readonly simulator: Simulator
  /** The API key of the simulator. */
  readonly apiKey: string
  /** Allows these error statuses in this test, e.g. `expectRejections(404, 405)`. */
  readonly expectRejections: (...statuses: readonly RejectionStatus[]) => void
}

/** The statuses of client errors (clause 7). */
export type RejectionStatus = (typeof rejectedStatuses)[number]

/** The plugin rejected a request, and the test did not expect it. */
export class UnexpectedRequestsError extends Error {
  override readonly name = 'UnexpectedRequestsError'
  readonly hint = 'Fix the client, or call `expectRejections(<status>)` in the test.'

  constructor(entries: readonly JournalEntry[]) {
    const lines = entries.map(({ method, target, status, decision, because }) => {
      const ids = because.length === 0 ? '' : ` (${because.join(', ')})`
      return `  ${method} ${target}: ${status}, ${decision}${ids}`
    })
    super(['The plugin rejected requests that this test does not expect:', ...lines].join('\n'))
  }
}

const rejectedStatuses = [400, 401, 404, 405] as const
const defaultKey = 'key-for-tests'

/**
 * Vitest's `test` with a simulator for the tests that use one. It listens on a free port of 127.0.0.1. The default API
 * key is `key-for-tests`. Call it at the top level of a file, outside `describe`.
 * @throws InvalidOptionError, UnknownQuestionError, UnknownAnswerError when a test asks for it
 */
export function simulatorTest(options: FixtureOptions = {}): TestAPI<Fixtures> {
  const { per = 'file', failOnUnexpected = false, ...given } = options
  const apiKey = given.apiKey ?? given.parameters?.API_Key ?? defaultKey
  const create = () => {
    if (per !== 'file' && per !== 'test') throw new InvalidOptionError('per', '"file" or "test"')
    if (typeof failOnUnexpected !== 'boolean') throw new InvalidOptionError('failOnUnexpected', 'true or false')
    if (failOnUnexpected && given.journal === 0) throw new InvalidOptionError('journal', 'above 0 for failOnUnexpected')
    return createSimulator({ port: 0, ...given, apiKey })
  }

  return test.extend<Fixtures & { readonly shared: Simulator | null; readonly expected: Set<number> }>({
    shared: [
      // Vitest requires the pattern, although nothing is read from it.
      // biome-ignore lint/correctness/noEmptyPattern: see above
      async ({}, use) => {
        await using simulator = per === 'file' ? create() : null
        await simulator?.start()
        await use(simulator)
      },
      { scope: 'file' },
    ],
    // biome-ignore lint/correctness/noEmptyPattern: see above
    expected: async ({}, use) => use(new Set()),
    apiKey,
    expectRejections: async ({ expected }, use) =>
      use((...statuses) => {
        for (const status of statuses) expected.add(status)
      }),
    simulator: async ({ shared, expected, onTestFinished }, use) => {
      const simulator = shared ?? create()
      await (shared === null ? simulator.start() : simulator.control.reset())
      if (failOnUnexpected) onTestFinished(watchErrorResponses(simulator, expected))
      await use(simulator)
      if (shared === null) await simulator.stop()
    },
  }) as TestAPI<Fixtures>
}

/**
 * Collects error responses as they happen, since a journal drops old entries. Returns a function that throws for
 * unexpected ones.
 */
function watchErrorResponses({ control }: Simulator, expected: ReadonlySet<number>): () => void {
  const refused: JournalEntry[] = []
  const end = control.journal.subscribe((entry) => {
    // A response from a fault has no stage.
    const isOfPlugin = entry.fault === null || entry.stage !== null
    if (isOfPlugin && rejectedStatuses.some((status) => status === entry.status)) refused.push(entry)
  })
  return () => {
    end()
    const unexpected = refused.filter(({ status }) => !expected.has(status ?? 0))
    if (unexpected.length > 0) throw new UnexpectedRequestsError(unexpected)
  }
}
