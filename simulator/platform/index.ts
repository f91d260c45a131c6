/**
 * The public API of the platform simulator: the API of a brokerage's account and its trading accounts,
 * which behaves as the specification says, and as a profile says where the specification is silent.
 */
export type { Clock } from '../server/clock.ts'
export { memoryFile } from '../storage/memory-file.ts'
export type { StoredFile } from '../storage/stored-file.ts'
export type { PlatformHooks, PlatformOverride } from './hooks/hooks.ts'
export type { KeyPair, ListedKey } from './keys/key-pair.ts'
export { type CreatedKey, type KeyRing, type NewKey, UnknownKeyError } from './keys/key-ring.ts'
export { type SignedParts, sign as signRequest } from './keys/signature.ts'
export type { PlatformAccount } from './model/platform-account.ts'
export type { TradingAccount } from './model/trading-account.ts'
export type { PlatformSimulatorOptions } from './options.ts'
export { defaultPlatformProfile, type PlatformProfile, resolvePlatformProfile } from './profile/profile.ts'
export { createPlatformSimulator, type PlatformSimulator } from './simulator.ts'
export { platformFileName, UnreadablePlatformFileError } from './store/records.ts'
