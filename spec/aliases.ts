import { platformRequirements } from './platform/requirements.ts'
import { pluginRequirements } from './plugin/requirements.ts'
import type { Requirement } from './requirement.ts'

const requirements: readonly Requirement[] = [...pluginRequirements, ...platformRequirements]

const aliases = new Map(requirements.map(({ id, aliases = [] }) => [id, aliases]))

/** The id of a requirement and its aliases: all that options may call it. */
export function namesOf(requirement: string): readonly string[] {
  return [requirement, ...(aliases.get(requirement) ?? [])]
}
