// Preloaded, it writes the most resident memory of the process, in bytes, when that ends.
import { writeFileSync } from 'node:fs'

const { PEAK_MEMORY } = process.env
process.on('exit', () => writeFileSync(PEAK_MEMORY, `${process.resourceUsage().maxRSS * 1024}`))
