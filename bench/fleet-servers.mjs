// Starts several simulators in one process, the last one at the given port, after the addresses of all are in the file.
import { writeFileSync } from 'node:fs'
import { createSimulator } from '../dist/simulator/index.js'

const [port, count, file] = process.argv.slice(2)
const others = Array.from({ length: Number(count) - 1 }, () =>
  createSimulator({ port: 0, apiKey: 'key-of-the-benchmark' }),
)
await Promise.all(others.map((simulator) => simulator.start()))
const last = createSimulator({ port: Number(port), apiKey: 'key-of-the-benchmark' })
writeFileSync(file, [...others.map(({ url }) => url), `http://127.0.0.1:${port}`].join('\n'))
await last.start()
