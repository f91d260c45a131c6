/** The environment without the secrets of the kit: a command gets its key from the parameters. */
export function withoutOwnSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { TCK_API_KEY: _key, TCK_PLATFORM_KEY: _platformKey, TCK_PLATFORM_SECRET: _secret, ...rest } = env
  return rest
}
