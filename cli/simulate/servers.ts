import type { Logger } from 'pino'
import type { ControlServer, Simulator } from '../../simulator/index.ts'
import type { PlatformOverride } from '../../simulator/platform/hooks/hooks.ts'
import type { KeyPair, PlatformSimulator } from '../../simulator/platform/index.ts'
import { UsageError } from '../command-error.ts'
import type { SimulateFlags } from './command.ts'

/** The key pair in the environment; undefined if there is none. @throws {UsageError} when half of it is missing */
export function keyPairOf(environment: NodeJS.ProcessEnv): KeyPair | undefined {
  const { TCK_PLATFORM_KEY: apiKey = '', TCK_PLATFORM_SECRET: apiSecret = '' } = environment
  if (apiKey === '' && apiSecret === '') return undefined
  if (apiKey !== '' && apiSecret !== '') return { apiKey, apiSecret }
  throw new UsageError(
    `\`${apiKey === '' ? 'TCK_PLATFORM_KEY' : 'TCK_PLATFORM_SECRET'}\` is missing.`,
    'Set both variables, or neither: then a key pair is created and shown once.',
  )
}

/** The platform API, not yet started; null without `--platform-port`. @throws {UsageError} or {InvalidOptionError} */
export async function createPlatform(flags: SimulateFlags, override: PlatformOverride | null, log: Logger) {
  if (flags.platformPort === undefined) return null
  const { createPlatformSimulator } = await import('../../simulator/platform/index.ts')
  const keyPair = keyPairOf(process.env)
  return createPlatformSimulator({
    port: flags.platformPort,
    host: flags.host,
    log: log.child({ api: 'platform' }),
    ...(flags.dataDir !== undefined && { dataDir: flags.dataDir }),
    ...(flags.signing !== undefined && { signing: flags.signing }),
    ...(keyPair !== undefined && { keyPair }),
    ...(override !== null && { override }),
  })
}

/** Creates a key pair if none is usable. It is part of the initial state, so that a reset does not remove it. */
async function firstPair(platform: PlatformSimulator): Promise<KeyPair | null> {
  const { keys, clock } = platform
  const isValid = (expiresAt: string | null) => expiresAt === null || Date.parse(expiresAt) > clock.now()
  const listed = await keys.list()
  if (listed.some(({ revokedAt, expiresAt }) => revokedAt === null && isValid(expiresAt))) return null
  const pair = await keys.create({ name: 'first' })
  await platform.markInitialState()
  return pair
}

/** Logs the address, and prints a created key pair: one line of JSON, or readable text on a terminal. */
export function announcePlatform({ url, accounts }: PlatformSimulator, pair: KeyPair | null, log: Logger): void {
  log.info({ url, accounts: accounts.length }, 'serving the platform API')
  if (pair === null) return
  const { apiKey, apiSecret } = pair
  const text = process.stdout.isTTY
    ? `\nThe platform's key pair. The secret is shown only once:\n  API key     ${apiKey}\n  API secret  ${apiSecret}\n\n`
    : `${JSON.stringify({ platform: { url, apiKey, apiSecret } })}\n`
  process.stdout.write(text)
}

/** A compose file sets a variable without a value to an empty string. */
const givenToken = () => process.env.TCK_CONTROL_TOKEN || undefined

/** Logs the address, and a created token, since it is shown nowhere else. A given token is not logged. */
export function announceControl({ url, pageUrl, token }: ControlServer, log: Logger): void {
  if (givenToken() === undefined) log.info({ control: url, page: pageUrl, token }, 'control')
  else log.info({ control: url, page: `${url}/` }, 'control')
}

interface Servers {
  readonly simulator: Simulator
  readonly platform: PlatformSimulator | null
  readonly flags: SimulateFlags
  readonly log: Logger
}

/** Opens all ports, or closes all, so that nothing keeps the process alive. A created key `pair` must be shown now. */
export async function openAll({ simulator, platform, flags, log }: Servers) {
  const { controlPort: port, controlHost: host } = flags
  let control: ControlServer | null = null
  const close = async () => {
    await control?.close()
    await Promise.all([simulator.stop(), platform?.stop()])
  }
  try {
    await simulator.start()
    await platform?.start()
    if (port !== undefined) {
      const token = givenToken()
      const { serveControl } = await import('../../simulator/serve-control.ts')
      const parts = { ...(token !== undefined && { token }), ...(platform !== null && { platform }) }
      control = await serveControl(simulator, { port, host, log, ...parts })
    }
    // Last, since the secret is shown only once and a failed start would lose it.
    return { control, pair: platform && (await firstPair(platform)), close }
  } catch (error) {
    await close()
    throw error
  }
}
