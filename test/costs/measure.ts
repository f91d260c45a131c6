import { afterAll } from 'vitest'
import { processorTimeMs } from './processor-time.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The processor time of a test file and of the processes that it started. */
    processorMs?: number
  }
}

// Vitest runs this module before each test file.
const before = processorTimeMs()
// biome-ignore lint/correctness/noEmptyPattern: Vitest requires a pattern.
afterAll(({}, file) => {
  file.meta.processorMs = processorTimeMs() - before
})
