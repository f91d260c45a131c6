import { listPaths } from '../../suites/session/account-list.ts'
import { UsageError } from '../command-error.ts'
import type { Environment } from '../transport/proxy.ts'
import { readUrl, resolveTransport } from '../transport/resolve.ts'
import { spell } from './flags.ts'
import { checkKey, readSecretFile } from './read-files.ts'
import { accountFlags, defaultMaxAccounts, defaultVendor, platformFlags, type RunFlags } from './run-definitions.ts'

export type PlatformChoice = { readonly kind: 'simulator' } | NonNullable<ReturnType<typeof resolvePlatform>>

/** Null if no platform is named. @throws {UsageError} for a bad URL, a missing key, or flags without effect */
export function resolvePlatform(flags: Partial<RunFlags>, env: Environment) {
  const { platformUrl, platformKeyFile, platformSecretFile } = flags
  if (platformUrl === undefined) return rejectIdleFlags(flags)
  const read = (variable: string, file: string | undefined, flag: string) =>
    // A compose file sets a variable without a value to an empty string.
    file === undefined ? env[variable] || undefined : readSecretFile(file, flag)
  const key = read('TCK_PLATFORM_KEY', platformKeyFile, '--platform-key-file')
  const secret = read('TCK_PLATFORM_SECRET', platformSecretFile, '--platform-secret-file')
  if (key === undefined) {
    throw new UsageError(
      '`--platform-url` requires an API key.',
      'Set `TCK_PLATFORM_KEY`, or give `--platform-key-file <path>`.',
    )
  }
  if (flags.disposablePlatform && flags.group === undefined) {
    throw new UsageError(
      '`--disposable-platform` requires `--group`.',
      'Give the group in which demo accounts are created: `--group <slug>`.',
    )
  }
  const url = readUrl(platformUrl, '--platform-url')
  return {
    kind: 'url',
    url,
    transport: resolveTransport(url, flags, env, flags.target),
    key: checkKey(key),
    secret: secret ?? null,
    vendor: flags.signatureVendor ?? defaultVendor,
    listPaths: flags.listPath === undefined ? listPaths : [flags.listPath],
    group: flags.group ?? null,
    accountTerms: {
      ...(flags.currency !== undefined && { currency: flags.currency }),
      ...(flags.leverage !== undefined && { leverage: flags.leverage }),
    },
    maxAccounts: flags.maxAccounts ?? defaultMaxAccounts,
    disposable: flags.disposablePlatform === true,
  } as const
}

/** Options without effect are errors: with `--group` alone no platform would be judged. */
function rejectIdleFlags(flags: Partial<RunFlags>): null {
  const names = Object.keys({ ...platformFlags, ...accountFlags }) as (keyof RunFlags)[]
  const idle = names.find((name) => flags[name] !== undefined && flags[name] !== false)
  if (idle === undefined) return null
  throw new UsageError(`\`${spell(idle)}\` requires \`--platform-url\`.`, 'Add `--platform-url <url>`.')
}
