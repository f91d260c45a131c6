import { UsageError } from '../command-error.ts'
import type { Environment } from '../transport/proxy.ts'

/** The members that name the variables with secrets, the variables of `run`, and the options that need them. */
const secretVariables = [
  { member: 'keyVariable', variable: 'TCK_API_KEY', file: 'apiKeyFile', neededBy: 'target' },
  { member: 'platformKeyVariable', variable: 'TCK_PLATFORM_KEY', file: 'platformKeyFile', neededBy: 'platformUrl' },
  { member: 'platformSecretVariable', variable: 'TCK_PLATFORM_SECRET', file: 'platformSecretFile', neededBy: null },
] as const

export const secretMembers = secretVariables.map(({ member }) => member)

type Values = ReadonlyMap<string, unknown>

/** The secrets of an entry as variables of its run. @throws {UsageError} when one that it needs is missing */
export function secretsOf(values: Values, env: Environment): Record<string, string> {
  const found = secretVariables.flatMap(({ member, variable, file, neededBy }): (readonly [string, string])[] => {
    const source = values.get(member)
    if (source === undefined) {
      if (neededBy === null || !values.has(neededBy) || values.has(file)) return []
      throw new UsageError(`\`${neededBy}\` requires the key of its server.`, `Give \`${member}\` or \`${file}\`.`)
    }
    const secret = env[String(source)]
    if (!secret) throw new UsageError(`The environment variable ${source} is not set.`, 'Export it.')
    return [[variable, secret]]
  })
  return Object.fromEntries(found)
}

/** Keys of other entries and of the shell must not be sent to this server. */
export function withoutSecrets(env: Environment, entries: readonly { readonly values: Values }[]): Environment {
  const secret = new Set([
    ...secretVariables.map(({ variable }) => variable),
    ...entries.flatMap(({ values }) => secretVariables.map(({ member }) => String(values.get(member)))),
    // Otherwise each run would write GitHub annotations and a job summary for its server.
    ...['GITHUB_ACTIONS', 'GITHUB_STEP_SUMMARY'],
  ])
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secret.has(name)))
}
