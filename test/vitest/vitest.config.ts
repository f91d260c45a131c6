import { defineConfig } from 'vitest/config'

/** The configuration of somebody who uses the kit in a suite of their own. */
export default defineConfig({ test: { include: ['test/vitest/*.suite.ts'] } })
