import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{spec,simulator,suites,reports,fixtures}/**/*.test.ts'],
          testTimeout: 20_000,
        },
      },
    ],
  },
})
