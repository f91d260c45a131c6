import { readFileSync } from 'node:fs'

// Compiled, this file lies one folder deeper.
const packageFile = [new URL('../package.json', import.meta.url), new URL('../../package.json', import.meta.url)]

function readVersion(): string {
  for (const file of packageFile) {
    try {
      return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
    } catch {
      // It is the other one.
    }
  }
  throw new Error('package.json is missing from the installation')
}

/** Name and version of the kit. */
export const nameAndVersion = { name: 'copytrade-tck', version: readVersion() } as const
