/** Plugin parameters under their own names, as an administrator knows them. */
const parameterNames = /^(API_Key|API_Port|Copy_\d+)$/

/** The plugin parameters that stand in the environment, e.g. of a container. */
export function parametersIn(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && parameterNames.test(name) ? [[name, value]] : [],
    ),
  )
}

/** For `--help`: the variables that no option names. */
export const environmentHelp = `
The plugin parameters may also stand in the environment under their own names: API_Key, API_Port, Copy_1, Copy_2, …
--param and --api-key win over them; a file of --params takes their place.`
