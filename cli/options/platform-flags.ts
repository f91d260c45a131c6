import { type Command, InvalidArgumentError } from 'commander'
import { wholeNumber } from './parsers.ts'
import { defaultMaxAccounts, defaultVendor } from './platform-options.ts'

/** The options of a command that looks at a platform. */
export function addPlatformOptions(command: Command): Command {
  return command
    .option('--platform-url <url>', 'base URL of a platform API to judge, with or without /v1 (key: TCK_PLATFORM_KEY)')
    .option('--platform-key-file <path>', 'file that holds the key of the platform')
    .option('--platform-secret-file <path>', 'file that holds the secret that signs requests (or: TCK_PLATFORM_SECRET)')
    .option('--signature-vendor <name>', `vendor in X-<Vendor>-Signature (default: ${defaultVendor})`, word)
    .option('--list-path <path>', 'path of the list of trading accounts (default: looked for)', path)
}

/** The options of a command that may create accounts. */
export function addAccountOptions(command: Command): Command {
  return command
    .option('--group <slug>', 'group in which demo accounts may be created (default: none, and no account either)')
    .option(
      '--max-accounts <n>',
      `the most demo accounts that may be created (default: ${defaultMaxAccounts})`,
      wholeNumber(0),
    )
}

function word(text: string): string {
  if (/^[A-Za-z0-9-]+$/.test(text)) return text
  throw new InvalidArgumentError('Give a word of letters, digits and hyphens, like Example for X-Example-Signature.')
}

function path(text: string): string {
  if (/^\/[\x21-\x7e]+$/.test(text)) return text
  throw new InvalidArgumentError('Give a path like /v1/trading-accounts.')
}
