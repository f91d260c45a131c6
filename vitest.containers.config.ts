import { defineConfig } from 'vitest/config'

/** The tests that need a container engine, and an image that takes a while to build. */
export default defineConfig({
  test: {
    name: 'containers',
    include: ['test/containers/**/*.test.ts'],
    globalSetup: ['test/build.ts'],
    testTimeout: 120_000,
    hookTimeout: 240_000,
    maxWorkers: '100%',
  },
})
