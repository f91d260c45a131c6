import { InvalidArgumentError, Option } from 'commander'
import { wholeNumber } from './parsers.ts'

export const defaultVendor = 'Platform'
export const defaultMaxAccounts = 3

/** The options that say how a platform is reached. `--platform-url` stands with the targets. */
export function platformOptions(): readonly Option[] {
  return [
    new Option('--platform-key-file <path>', 'File that holds the API key of the platform. Or set TCK_PLATFORM_KEY'),
    new Option(
      '--platform-secret-file <path>',
      'File that holds the secret for request signatures. Or set TCK_PLATFORM_SECRET',
    ),
    new Option('--signature-vendor <name>', `Vendor in X-<Vendor>-Signature (default: ${defaultVendor})`).argParser(
      word,
    ),
    new Option('--list-path <path>', 'Path of the list of trading accounts. Without it the kit searches').argParser(
      path,
    ),
  ]
}

/** The options of a command that may create accounts. */
export function accountOptions(): readonly Option[] {
  return [
    new Option('--group <slug>', 'Group in which demo accounts may be created. Without it no account is created'),
    new Option(
      '--max-accounts <n>',
      `Maximum number of demo accounts to create (default: ${defaultMaxAccounts})`,
    ).argParser(wholeNumber(0)),
  ]
}

function word(text: string): string {
  if (/^[A-Za-z0-9-]+$/.test(text)) return text
  throw new InvalidArgumentError('Use letters, digits and hyphens, like `Example` for `X-Example-Signature`.')
}

function path(text: string): string {
  if (/^\/[\x21-\x7e]+$/.test(text)) return text
  throw new InvalidArgumentError('Give a path like `/v1/trading-accounts`.')
}
