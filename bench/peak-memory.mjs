// Preloaded, it writes the peak resident memory of the process, in bytes, when the process exits.
import { writeFileSync } from 'node:fs'

const { PEAK_MEMORY } = process.env
process.on('exit', () => writeFileSync(PEAK_MEMORY, `${process.resourceUsage().maxRSS * 1024}`))
