import { createPlatformSimulator, type PlatformSimulatorOptions } from '../../simulator/platform/index.ts'

/** The configurable options of an embedded platform. */
export type EmbeddedPlatformOptions = Pick<PlatformSimulatorOptions, 'profile' | 'override' | 'groups' | 'vendor'>

/** A platform simulator in this process, with a real port. The secret must be longer than 64 bytes. */
export async function startEmbeddedPlatform(
  keyPair: { readonly apiKey: string; readonly apiSecret: string },
  options: EmbeddedPlatformOptions = {},
) {
  const simulator = createPlatformSimulator({ ...options, keyPair })
  await simulator.start()
  return { url: simulator.url, stop: () => simulator.crash() }
}
