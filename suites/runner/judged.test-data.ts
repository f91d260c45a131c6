import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createSimulator, type SimulatorOptions } from '../../simulator/index.ts'
import { directTransport } from '../client/transport.ts'
import type { Check, Observation, Risk } from '../session/check.ts'
import type { Session } from '../session/session.ts'
import { createEmbeddedDriver, type SimulatorSettings } from '../targets/embedded.ts'
import type { Target } from '../targets/target.ts'
import { createPluginContext } from './plugin/create-context.ts'
import { type PluginSettings, unguardedSettings } from './plugin/settings.ts'

export const key = 'a-key-that-must-stay-secret'
export const launchKey = 'random-key-of-launched-servers'
export const others = { Copy_1: '1001>2001,mult,1.5,same', Copy_2: '1002>2002,fixed,0.5,reverse' }
export const parameters = { API_Key: key, ...others }

/** The target for a URL; a foreign server by default. */
export function targetAt(url: string, changes: Partial<Target> = {}): Target {
  const unknown = { server: null, capabilities: [], capacity: null }
  return { kind: 'url', transport: directTransport, url, key, ...unknown, ...changes }
}

export function contextOf(url: string, changes: Partial<PluginSettings> = {}) {
  return createPluginContext(
    { ...unguardedSettings(targetAt(url), 1), launchKey, secrets: [key, launchKey], ...changes },
    null,
  )
}

/** A foreign server. `before` may handle a request instead. */
export async function foreign(
  options: SimulatorOptions = {},
  before: (...args: Parameters<RequestListener>) => boolean = () => false,
) {
  const simulator = createSimulator({ parameters, ...options })
  const handle = simulator.callback()
  const server = createServer((request, response) => {
    if (!before(request, response)) handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(async () => {
    close()
    await simulator.stop()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { simulator, close, url, context: contextOf(url) }
}

export async function own(settings: SimulatorSettings = {}, changes: Partial<PluginSettings> = {}) {
  const driver = createEmbeddedDriver(settings)
  onTestFinished(() => driver.discardAll())
  const { id: server, url } = await driver.prepare({ parameters, port: 'given', capacity: null })
  await driver.start(server, 'ready')
  const target = targetAt(url, { kind: 'simulator', server })
  return {
    driver,
    server,
    context: createPluginContext(
      { ...unguardedSettings(target, 1), launchKey, secrets: [key, launchKey], ...changes },
      driver,
    ),
  }
}

export function check(run: (session: Session) => Promise<void>, risk: Risk = 'write'): Check {
  return { id: 'CT-1', requirement: 'r', title: 't', risk, needs: ['launch'], run }
}

export function observation(run: Observation['run'], risk: Risk = 'read'): Observation {
  return { id: 'CT-2', question: 'q', title: 't', risk, run }
}

export const silent = { expected: null, actual: null, answer: null, curl: null }
export const followers = (rules: readonly { readonly follower: number | bigint }[]) =>
  rules.map(({ follower }) => Number(follower))
