/**
 * The environment without what the kit got for itself: a command gets its key from the parameters, and its port from the
 * driver.
 */
export function withoutOwnVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { TCK_API_KEY, TCK_PLATFORM_KEY, TCK_PLATFORM_SECRET, TCK_PORT, ...rest } = env
  return rest
}
