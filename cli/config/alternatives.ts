/** Options that exclude each other. */
export const alternatives: readonly (readonly string[])[] = [
  ['target', 'exec', 'container'],
  ['apiKey', 'apiKeyFile'],
  ['ca', 'insecure'],
  ['reporter', 'verbose', 'quiet'],
  ['only', 'failed'],
  ['maxAccounts', 'disposablePlatform'],
  ['plan', 'watch'],
  ['keepServer', 'watch'],
]

/** The options in a file that this one overrides if it has precedence, itself included. */
export function overriddenBy(name: string): readonly string[] {
  return [name, ...alternatives.filter((group) => group.includes(name)).flat()]
}
