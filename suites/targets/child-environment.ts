/** The kit's own keys are none of a command's business; what it needs stands in the parameters. */
export function withoutOwnSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { TCK_API_KEY: _key, TCK_PLATFORM_KEY: _platformKey, TCK_PLATFORM_SECRET: _secret, ...rest } = env
  return rest
}
