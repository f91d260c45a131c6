import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{spec,simulator,suites,reports,fixtures,cli}/**/*.test.ts'],
          testTimeout: 20_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // The product as a whole: real processes, and the one default port, hence one file at a time.
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts'],
          globalSetup: ['test/build.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
