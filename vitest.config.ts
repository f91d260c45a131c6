import { rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** They change Node's HTTP client for everybody in their process. */
const withNock = ['simulator/embed/nock.test.ts']

/** `npm run test:outside`. */
const outside = 'test/outside/**'

/** Ledgers of tests are not noted among those of the developer. */
const stateHome = join(tmpdir(), `copytrade-tck-tests-${process.pid}`)
process.env.XDG_STATE_HOME = stateHome
process.once('exit', () => rmSync(stateHome, { recursive: true, force: true }))

export default defineConfig({
  test: {
    // Most tests wait for processes and sockets: more of them than cores keep the cores busy.
    // `fixtures/free-port.ts` has ports for 16.
    maxWorkers: Math.min(16, Math.ceil(1.5 * availableParallelism())),
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{http,spec,simulator,suites,reports,fixtures,cli,scripts}/**/*.test.ts', 'bench/*.test.ts'],
          exclude: withNock,
          testTimeout: 20_000,
          // None of them leaves anything behind in its process, and loading the modules anew takes longer than most.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // The product as a whole, with real processes.
        test: {
          name: 'whole',
          globalSetup: ['test/build.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          include: ['test/**/*.test.ts'],
          exclude: [outside],
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      { test: { name: 'nock', include: withNock, sequence: { groupOrder: 1 } } },
      {
        // The kit's checks, each as a test. `npm test` leaves them out: `run-embedded.test.ts` runs them too.
        test: { name: 'conformance', include: ['test/conformance.suite.ts'], sequence: { groupOrder: 2 } },
      },
    ],
  },
})
