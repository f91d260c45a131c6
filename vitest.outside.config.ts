import { defineConfig } from 'vitest/config'

/** The tests that need more than this folder (a container engine and an image, or the registries of npm and PyPI), and long ones. */
export default defineConfig({
  test: {
    name: 'outside',
    include: ['test/outside/**/*.test.ts'],
    globalSetup: ['test/build.ts'],
    testTimeout: 120_000,
    hookTimeout: 240_000,
    maxWorkers: '100%',
  },
})
