import { readFileSync } from 'node:fs'

// The compiled file is one folder deeper.
const packageFile = [new URL('../package.json', import.meta.url), new URL('../../package.json', import.meta.url)]

function readVersion(): string {
  for (const file of packageFile) {
    try {
      return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
    } catch {
      // Try the other location.
    }
  }
  throw new Error('package.json is missing from the installation')
}

/** Name and version of the kit. */
export const nameAndVersion = { name: 'copytrade-tck', version: readVersion() } as const
