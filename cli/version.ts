import { createRequire } from 'node:module'

// By the name of the package, since the compiled file is one folder deeper.
const { version } = createRequire(import.meta.url)('copytrade-tck/package.json') as { readonly version: string }

export const nameAndVersion = { name: 'copytrade-tck', version } as const
