import { defineConfig } from 'vitest/config'

/** The configuration of a user's suite that uses the kit. */
export default defineConfig({ test: { include: ['test/vitest/*.suite.ts'] } })
