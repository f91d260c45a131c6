/** Environment variables that have the name of a plugin parameter. */
const parameterNames = /^(API_Key|API_Port|Copy_\d+)$/

/** The plugin parameters in the environment, for example of a container. */
export function parametersIn(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && parameterNames.test(name) ? [[name, value]] : [],
    ),
  )
}

/** For `--help`: the variables that no option names. */
export const environmentHelp = `
TCK_PLATFORM_KEY and TCK_PLATFORM_SECRET hold the key pair of the platform API. Without them
a pair is created and printed to stdout once. TCK_CONTROL_TOKEN holds the token of the control
API. Without it a token is created and printed once.

Environment variables can hold the plugin parameters under their own names: API_Key, API_Port,
Copy_1, Copy_2, … \`--param\` and \`--api-key\` override them; \`--params\` replaces all of them.`
