/** Options that exclude each other: one of them on the command line overrides all of them in the file. */
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
