// A simulator with faults, in a separate process. It replies to each message with its memory use, after a garbage
// collection, and with the number of faults that were played.
import { createSimulator } from '../dist/simulator/index.js'

const [apiKey, dataDir] = process.argv.slice(2)
const simulator = createSimulator({ port: 0, apiKey, dataDir, capacity: 200, journal: 500 })
await simulator.start()
// The plugin never sees these requests, except the delayed ones.
const effects = [
  { kind: 'answer', status: 503 },
  { kind: 'reset' },
  { kind: 'empty' },
  { kind: 'garbage' },
  { kind: 'delay', ms: 5 },
]
for (const [place, effect] of effects.entries()) {
  simulator.control.faults.add({ effect, probability: 0.01, seed: place + 1 })
}
process.on('message', () => {
  globalThis.gc()
  const { heapUsed, rss } = process.memoryUsage()
  const faults = simulator.control.faults.list().filter(({ effect }) => effect.kind !== 'delay')
  const followers = simulator.rules.map(({ follower }) => Number(follower))
  process.send({ heapUsed, rss, faults: faults.reduce((sum, { played }) => sum + played, 0), followers })
})
process.on('disconnect', () => process.exit())
process.send(simulator.url)
