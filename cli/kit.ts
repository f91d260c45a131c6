import { hash } from 'node:crypto'
import { platformRequirements } from '../spec/platform/requirements.ts'
import { pluginRequirements } from '../spec/plugin/requirements.ts'
import { nameAndVersion } from './version.ts'

/** Name and version of the kit, and a short hash that changes whenever a requirement does. */
export const kit = {
  ...nameAndVersion,
  requirementsVersion: hash('sha256', JSON.stringify([pluginRequirements, platformRequirements])).slice(0, 12),
} as const
