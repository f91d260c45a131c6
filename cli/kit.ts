import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { platformRequirements } from '../spec/platform/requirements.ts'
import { pluginRequirements } from '../spec/plugin/requirements.ts'

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

/** Name and version of the kit, and a short hash that changes whenever a requirement does. */
export const kit = {
  name: 'copytrade-tck',
  version: readVersion(),
  requirementsVersion: createHash('sha256')
    .update(JSON.stringify([pluginRequirements, platformRequirements]))
    .digest('hex')
    .slice(0, 12),
} as const
