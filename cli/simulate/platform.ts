import type { Logger } from 'pino'
import type { PlatformDefect } from '../../simulator/platform/defects/index.ts'
import type { KeyPair, PlatformSimulator } from '../../simulator/platform/index.ts'
import { UsageError } from '../command-error.ts'
import type { SimulateFlags } from './options.ts'

/** What the simulated platform is created from. */
export interface PlatformPlan {
  readonly flags: SimulateFlags
  readonly defect: PlatformDefect | null
  readonly log: Logger
}

/**
 * The key pair of the environment; undefined if there is none.
 *
 * @throws {UsageError} when one half of it is missing
 */
export function keyPairOf(environment: NodeJS.ProcessEnv): KeyPair | undefined {
  const { TCK_PLATFORM_KEY: apiKey = '', TCK_PLATFORM_SECRET: apiSecret = '' } = environment
  if (apiKey === '' && apiSecret === '') return undefined
  if (apiKey !== '' && apiSecret !== '') return { apiKey, apiSecret }
  throw new UsageError(
    `\`${apiKey === '' ? 'TCK_PLATFORM_KEY' : 'TCK_PLATFORM_SECRET'}\` is missing.`,
    'Set both variables, or neither: then a key pair is created and shown once.',
  )
}

/**
 * The platform API, not yet started; null without `--platform-port`.
 *
 * @throws {UsageError} @throws InvalidOptionError
 */
export async function createPlatform({ flags, defect, log }: PlatformPlan): Promise<PlatformSimulator | null> {
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
    ...(defect !== null && { override: defect.override }),
  })
}

/**
 * Creates a key pair if there is no usable one; null otherwise. The pair belongs to the initial state:
 * a reset must not remove the only key.
 */
export async function firstPair(platform: PlatformSimulator): Promise<KeyPair | null> {
  if (await hasUsableKey(platform)) return null
  const pair = await platform.keys.create({ name: 'first' })
  await platform.markBeginning()
  return pair
}

/** Logs the address of the platform, and prints a created key pair, which cannot be shown again. */
export function announcePlatform({ url, accounts }: PlatformSimulator, pair: KeyPair | null, log: Logger): void {
  log.info({ url, accounts: accounts.length }, 'serving the platform API')
  if (pair !== null) show(pair, url)
}

async function hasUsableKey({ keys, clock }: PlatformSimulator): Promise<boolean> {
  const listed = await keys.list()
  return listed.some(
    ({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > clock.now()),
  )
}

/** One line of JSON, or a readable form on a terminal. */
function show({ apiKey, apiSecret }: KeyPair, url: string): void {
  const text = process.stdout.isTTY
    ? `\nThe platform's key pair. The secret is shown only once:\n  API key     ${apiKey}\n  API secret  ${apiSecret}\n\n`
    : `${JSON.stringify({ platform: { url, apiKey, apiSecret } })}\n`
  process.stdout.write(text)
}
