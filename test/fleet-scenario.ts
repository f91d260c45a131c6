import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { Fleet } from '../cli/fleet-document.ts'
import { freePort } from '../fixtures/free-port.ts'
import { createSimulator } from '../simulator/index.ts'
import { command, type Ended, emptyFolder } from './command.ts'

/** A fleet of simulators. Servers are identified by their position, counted from 1. */
interface FleetScenarioOptions {
  readonly servers: number
  /** Those that return 202 instead of 200. */
  readonly faulty: readonly number[]
  readonly down: number
  /** The number of the server that accepts connections and never responds. */
  readonly silent?: number
  /** The number of the server that becomes faulty overnight. */
  readonly regressed: number
  /** Options of all entries, as YAML. */
  readonly defaults: readonly string[]
}

/** The results of the commands of the scenario. */
interface FleetResult {
  readonly folder: string
  readonly yesterday: Ended
  readonly shards: readonly Ended[]
  readonly merged: Ended
  readonly compared: Ended
  fleet(out: string): Fleet
}

/** Judges a fleet, then, on the next day, both halves of it; merges them, and compares the days. */
export async function runFleetScenario({
  servers,
  faulty,
  regressed,
  defaults,
  ...others
}: FleetScenarioOptions): Promise<FleetResult> {
  const folder = emptyFolder()
  const wrong = new Set(faulty)
  const entries: string[] = []
  const env: Record<string, string> = {}
  for (let place = 1; place <= servers; place += 1) {
    const url = await addressOf(place, others, wrong)
    entries.push(`  - { name: server-${place}, target: "${url}", keyVariable: KEY_${place} }`)
    env[`KEY_${place}`] = keyOf(place)
  }
  writeFileSync(join(folder, 'targets.yaml'), ['defaults:', ...defaults, 'targets:', ...entries, ''].join('\n'))
  const run = (...args: string[]) => command(args, { cwd: folder, env })

  const yesterday = await run('fleet', 'targets.yaml', '--yes', '--out', 'yesterday')
  wrong.add(regressed)
  const shards = [
    await run('fleet', 'targets.yaml', '--yes', '--shard', '1/2', '--out', 'parts/1'),
    await run('fleet', 'targets.yaml', '--yes', '--shard', '2/2', '--out', 'parts/2'),
  ]
  const merged = await run('merge', 'parts/1/fleet.json', 'parts/2/fleet.json', '--out', 'today')
  const compared = await run('compare', 'yesterday/fleet.json', 'today/fleet.json')
  const fleet = (out: string) => JSON.parse(readFileSync(join(folder, out, 'fleet.json'), 'utf8')) as Fleet
  return { folder, yesterday, shards, merged, compared, fleet }
}

export const keyOf = (place: number) => `the-key-of-server-${place}`

async function addressOf(
  place: number,
  { down, silent }: Pick<FleetScenarioOptions, 'down' | 'silent'>,
  wrong: ReadonlySet<number>,
): Promise<string> {
  if (place === down) return `http://127.0.0.1:${await freePort()}`
  return place === silent ? startSilentServer() : startServer(place, wrong)
}

async function startSilentServer(): Promise<string> {
  const server = createServer(() => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function startServer(place: number, wrong: ReadonlySet<number>): Promise<string> {
  const simulator = createSimulator({
    port: 0,
    apiKey: keyOf(place),
    override: () => ({
      finish: (answer) => (wrong.has(place) && answer.status === 200 ? { ...answer, status: 202 } : answer),
    }),
  })
  await simulator.start()
  onTestFinished(() => simulator[Symbol.asyncDispose]())
  return simulator.url
}

/** The exit codes of a fleet's installs, by name. */
export function codesOf({ installs }: Fleet): Record<string, number> {
  expect(installs.length).toBeGreaterThan(0)
  return Object.fromEntries(installs.map(({ name, exitCode }) => [name, exitCode]))
}
