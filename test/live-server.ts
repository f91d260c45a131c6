import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { createSimulator, memoryRulesFile, type Rule, type SimulatorOptions } from '../simulator/index.ts'

export const liveKey = 'a-key-that-nobody-may-see'

/** The methods of requests that change the list. */
const writes = ['POST', 'PUT', 'PATCH', 'DELETE']

/** A plugin that stands for one in production, with foreign rules. */
export interface LiveServer {
  readonly url: string
  /** The methods of the requests that it received. */
  readonly methods: readonly string[]
  rules(): readonly Rule[]
  /** Calls back when the n-th write has its response. */
  afterWrites(count: number, callback: () => void): void
  /** Crashes with all its connections; the rules file stays. */
  crash(): Promise<void>
  /** Restarts at the same address. */
  restart(): Promise<void>
}

/** Parameters for `count` foreign rules. */
export function foreignRules(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `Copy_${i}`,
      `${1000 + (i % 7)}>${20_000 + i},mult,${1 + (i % 9) / 4},same`,
    ]),
  )
}

/** Starts it; it ends with the test. */
export async function startLiveServer(
  count: number,
  options: Omit<SimulatorOptions, 'parameters' | 'rulesFile'> = {},
): Promise<LiveServer> {
  const rulesFile = memoryRulesFile()
  const sockets = new Set<Socket>()
  const methods: string[] = []
  const waiting: { count: number; callback: () => void }[] = []
  let written = 0
  const create = () =>
    createSimulator({ parameters: { API_Key: liveKey, ...foreignRules(count) }, rulesFile, ...options })
  let simulator = create()
  let server: Server | null = null

  const listen = async (port: number) => {
    const handle = simulator.callback()
    server = createServer((request, response) => {
      methods.push(request.method ?? '')
      if (writes.includes(request.method ?? '')) response.on('close', countWrite)
      handle(request, response)
    })
    server.on('connection', (socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }
  const countWrite = () => {
    written += 1
    for (const { callback } of waiting.filter((wait) => wait.count === written)) callback()
  }
  const crash = async () => {
    const closed = new Promise<void>((resolve) => server?.close(() => resolve()))
    for (const socket of sockets) socket.destroy()
    await closed
    await simulator.crash()
  }

  const port = await listen(0)
  await fetch(`http://127.0.0.1:${port}/api/status`, { headers: { 'X-API-Key': liveKey, Connection: 'close' } })
  onTestFinished(crash)
  return {
    url: `http://127.0.0.1:${port}`,
    methods,
    rules: () => simulator.rules,
    afterWrites: (n, callback) => waiting.push({ count: n, callback }),
    crash,
    async restart() {
      simulator = create()
      await listen(port)
    },
  }
}
