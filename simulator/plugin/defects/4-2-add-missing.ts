import { LosslessNumber } from 'lossless-json'
import { reject } from '../../defect-parts/reject.ts'
import type { Members } from '../../server/body.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { Rule } from '../model/rule.ts'
import type { Defect } from './defect.ts'
import { selfCopyRejected } from './masks.ts'

/** What a server takes in place of a field that the body does not name. */
function insteadOf(field: keyof Rule, substitute: (members: Members) => unknown): Defect['override'] {
  return ({ fieldOf }) => ({
    fieldOf: (members, name) =>
      name === field && !Object.hasOwn(members, field) ? substitute(members) : fieldOf(members, name),
  })
}

/** Takes a field that is not in the body from an earlier one. */
function rememberingFields(memory: Map<keyof Rule, unknown>, fieldOf: Hooks['fieldOf']): Hooks['fieldOf'] {
  return (members, name) => {
    if (Object.hasOwn(members, name) || !memory.has(name)) memory.set(name, fieldOf(members, name))
    return memory.get(name)
  }
}

/** Clauses 4.2 and 7: a body in which a field is missing. */
export const addMissingDefects: readonly Defect[] = [
  {
    id: 'add.missing-master-is-the-follower',
    breaks: ['plugin.add.requires-every-field'],
    maskedBy: selfCopyRejected,
    summary: 'A missing master becomes the follower.',
    override: insteadOf('master', ({ follower }) => follower),
  },
  {
    id: 'add.missing-follower-is-the-master',
    breaks: ['plugin.add.requires-every-field'],
    maskedBy: selfCopyRejected,
    summary: 'A missing follower becomes the master.',
    override: insteadOf('follower', ({ master }) => master),
  },
  {
    id: 'add.missing-mode-is-mult',
    breaks: ['plugin.add.requires-every-field'],
    summary: 'A missing mode becomes mult.',
    override: insteadOf('mode', () => 'mult'),
  },
  {
    id: 'add.missing-value-is-one',
    breaks: ['plugin.add.requires-every-field'],
    summary: 'A missing value becomes 1.',
    override: insteadOf('value', () => new LosslessNumber('1')),
  },
  {
    id: 'add.missing-direction-is-same',
    breaks: ['plugin.add.requires-every-field'],
    summary: 'A missing direction becomes same.',
    override: insteadOf('direction', () => 'same'),
  },
  {
    id: 'add.missing-fields-from-the-rule-before',
    breaks: ['plugin.add.requires-every-field'],
    summary: 'A missing field gets the value of the last loaded rule.',
    override: ({ joinCopies, fieldOf }) => {
      const memory = new Map<keyof Rule, unknown>()
      return {
        joinCopies: (copies) => {
          const rules = joinCopies(copies)
          for (const [name, value] of Object.entries(rules.at(-1) ?? {})) {
            memory.set(name as keyof Rule, typeof value === 'string' ? value : new LosslessNumber(String(value)))
          }
          return rules
        },
        fieldOf: rememberingFields(memory, fieldOf),
      }
    },
  },
  {
    id: 'add.missing-fields-from-the-request-before',
    breaks: ['plugin.add.requires-every-field'],
    summary: 'A missing field gets its value from an earlier request.',
    override: ({ fieldOf }) => ({ fieldOf: rememberingFields(new Map(), fieldOf) }),
  },
  {
    id: 'add.missing-field-is-422',
    breaks: ['plugin.add.requires-every-field'],
    summary: 'A missing field returns 422.',
    override: () => ({
      fieldOf: (members, field) =>
        Object.hasOwn(members, field) ? members[field] : reject(422, `${field} is missing.`),
    }),
  },
  {
    id: 'add.missing-direction-is-500',
    breaks: ['plugin.add.requires-every-field'],
    summary: 'A missing direction returns 500, other missing fields return 400.',
    override: insteadOf('direction', () => {
      throw new TypeError('The pointer is null.')
    }),
  },
  {
    id: 'add.fields-found-at-any-depth',
    breaks: ['plugin.add.requires-every-field'],
    maskedBy: [{ answers: { 'plugin.body.unknown-member': 'refused' } }],
    summary: 'A missing field is taken from a nested member.',
    override: ({ fieldOf }) => ({
      fieldOf: (members, name) => {
        const inside = Object.values(members).find((member) => member instanceof Object && Object.hasOwn(member, name))
        return fieldOf(Object.hasOwn(members, name) || !inside ? members : (inside as typeof members), name)
      },
    }),
  },
]
