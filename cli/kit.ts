import { createHash } from 'node:crypto'
import { platformRequirements } from '../spec/platform/requirements.ts'
import { pluginRequirements } from '../spec/plugin/requirements.ts'
import { nameAndVersion } from './version.ts'

/** Name and version of the kit, and a short hash that changes whenever a requirement does. */
export const kit = {
  ...nameAndVersion,
  requirementsVersion: createHash('sha256')
    .update(JSON.stringify([pluginRequirements, platformRequirements]))
    .digest('hex')
    .slice(0, 12),
} as const
