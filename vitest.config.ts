import { rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The usual processor time of each project's tests, in seconds, at the speed that `test/costs/reporter.ts` states. */
const budgets = { unit: 64, whole: 195, ci: 930, laws: 390 }

/** These test files take longest, two of them by waiting. If one of them started late, it would run alone at the end. */
const longest = [
  'test/default-port.test.ts',
  'test/platform.test.ts',
  'test/run-embedded.test.ts',
  'test/ci/diagnosis.test.ts',
  'test/ci/hook-sets.test.ts',
  'test/ci/ci.test.ts',
  'test/ci/documents.test.ts',
  'test/ci/ended-connections.test.ts',
  'test/ci/jobs.test.ts',
  'test/ci/containers/driver.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isLong = ({ moduleId }: TestSpecification) => longest.some((path) => moduleId.endsWith(`/${path}`))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/** They change Node's HTTP client for everything in their process. */
const withNock = ['simulator/embed/nock.test.ts']

/** Tests of the whole product with real processes: of the command line as it is shipped. */
const ofTheProduct = { globalSetup: ['test/build.ts'], testTimeout: 120_000, hookTimeout: 240_000 }

const setupFiles = ['test/costs/measure.ts']

/** Ledgers of tests are kept apart from those of the developer. */
const stateHome = join(tmpdir(), `copytrade-tck-tests-${process.pid}`)
process.env.XDG_STATE_HOME = stateHome
process.once('exit', () => rmSync(stateHome, { recursive: true, force: true }))

export default defineConfig({
  test: {
    // Most tests wait for processes and sockets, so it takes more of them than cores to keep the cores busy.
    // `fixtures/free-port.ts` has ports for 16.
    maxWorkers: Math.min(16, 2 * availableParallelism()),
    reporters: ['default', ['./test/costs/reporter.ts', { budgets, list: 0 }]],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          setupFiles,
          include: ['{http,spec,simulator,suites,reports,cli,scripts}/**/*.test.ts', '{bench,fixtures}/*.test.ts'],
          exclude: withNock,
          testTimeout: 20_000,
          // No test leaves anything behind in its process, and loading the modules again takes longer than most tests.
          isolate: false,
        },
      },
      { test: { name: 'nock', setupFiles, include: withNock } },
      {
        test: {
          name: 'whole',
          setupFiles,
          ...ofTheProduct,
          include: ['test/{,attack/,documents/,scenarios/}*.test.ts'],
          isolate: false,
        },
      },
      {
        // `npm run test:ci`: tests that need a container engine or the registries of npm and PyPI, or that take long.
        test: {
          name: 'ci',
          setupFiles,
          ...ofTheProduct,
          include: ['test/ci/**/*.test.ts', 'fixtures/*/**/*.test.ts'],
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // The self-test, which keeps all cores busy by itself.
        test: {
          name: 'laws',
          setupFiles,
          ...ofTheProduct,
          include: ['test/laws/*.test.ts'],
          sequence: { groupOrder: 2 },
        },
      },
      {
        // The kit's checks, each as a test. `npm test` leaves them out: `run-embedded.test.ts` runs them too.
        test: { name: 'conformance', include: ['test/conformance.suite.ts'], sequence: { groupOrder: 3 } },
      },
    ],
  },
})
