import { LosslessNumber } from 'lossless-json'
import { reject } from '../../defect-parts/reject.ts'
import type { Members } from '../../server/body.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { Rule } from '../model/rule.ts'
import { type Defect, rows } from './defect.ts'
import { selfCopyRejected } from './masks.ts'

/** What a server takes in place of a field that the body does not name. */
function insteadOf(field: keyof Rule, substitute: (members: Members) => unknown): Defect['override'] {
  return ({ fieldOf }) => ({
    fieldOf: (members, name) =>
      name === field && !Object.hasOwn(members, field) ? substitute(members) : fieldOf(members, name),
  })
}

/** Takes a field that is not in the body from an earlier one. */
const remembering =
  (memory: Map<string, unknown>, fieldOf: Hooks['fieldOf']): Hooks['fieldOf'] =>
  (members, name) => {
    if (Object.hasOwn(members, name) || !memory.has(name)) memory.set(name, fieldOf(members, name))
    return memory.get(name)
  }

/** Clauses 4.2 and 7: a body in which a field is missing. */
export const addMissingDefects: readonly Defect[] = rows('plugin.add.requires-every-field', {
  'add.missing-master-is-the-follower': [
    'A missing master becomes the follower.',
    insteadOf('master', ({ follower }) => follower),
    selfCopyRejected,
  ],
  'add.missing-follower-is-the-master': [
    'A missing follower becomes the master.',
    insteadOf('follower', ({ master }) => master),
    selfCopyRejected,
  ],
  'add.missing-mode-is-mult': ['A missing mode becomes mult.', insteadOf('mode', () => 'mult')],
  'add.missing-value-is-one': ['A missing value becomes 1.', insteadOf('value', () => new LosslessNumber('1'))],
  'add.missing-direction-is-same': ['A missing direction becomes same.', insteadOf('direction', () => 'same')],
  'add.missing-fields-from-the-rule-before': [
    'A missing field gets the value of the last loaded rule.',
    ({ joinCopies, fieldOf }) => {
      const memory = new Map<string, unknown>()
      return {
        joinCopies: (copies) => {
          const rules = joinCopies(copies)
          for (const [name, value] of Object.entries(rules.at(-1) ?? {})) {
            memory.set(name, typeof value === 'string' ? value : new LosslessNumber(String(value)))
          }
          return rules
        },
        fieldOf: remembering(memory, fieldOf),
      }
    },
  ],
  'add.missing-fields-from-the-request-before': [
    'A missing field gets its value from an earlier request.',
    ({ fieldOf }) => ({ fieldOf: remembering(new Map(), fieldOf) }),
  ],
  'add.missing-field-is-422': [
    'A missing field returns 422.',
    () => ({
      fieldOf: (members, field) =>
        Object.hasOwn(members, field) ? members[field] : reject(422, `${field} is missing.`),
    }),
  ],
  'add.missing-direction-is-500': [
    'A missing direction returns 500, other missing fields return 400.',
    insteadOf('direction', () => reject(500, 'Internal server error.')),
  ],
  'add.fields-found-at-any-depth': [
    'A missing field is taken from a nested member.',
    ({ fieldOf }) => ({
      fieldOf: (members, name) => {
        const inside = Object.values(members).find((member) => member instanceof Object && Object.hasOwn(member, name))
        return fieldOf(Object.hasOwn(members, name) || !inside ? members : (inside as typeof members), name)
      },
    }),
    [{ answers: { 'plugin.body.unknown-member': 'refused' } }],
  ],
})
