import { afterAll } from 'vitest'
import { processorTimeMs, referenceMs } from './processor-time.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The processor time of a test file and of the processes that it started. */
    processorMs?: number
    /** The processor time of the reference work before its tests. */
    referenceMs?: number
  }
}

// Vitest runs this module before each test file.
const reference = referenceMs()
const before = processorTimeMs()
// biome-ignore lint/correctness/noEmptyPattern: Vitest requires a pattern.
afterAll(({}, file) => {
  file.meta.processorMs = processorTimeMs() - before
  file.meta.referenceMs = reference
})
