import { isLosslessNumber, LosslessNumber } from 'lossless-json'
import { reject } from '../../defect-parts/reject.ts'
import { ErrorResponse } from '../../server/error-response.ts'
import { type Defect, rows } from './defect.ts'
import { accepts, reads, refuses } from './overrides.ts'

const one = new LosslessNumber('1')

/** Clauses 4.2 and 7: a field of the wrong JSON type. */
export const addTypeDefects: readonly Defect[] = [
  ...rows(['plugin.add.wrong-type', 'plugin.add.bad-request-is-400'], {
    'add.master-as-text': [
      'A master in quotes is accepted if it consists of digits.',
      reads('master', (value) =>
        typeof value === 'string' && /^\d+$/.test(value) ? new LosslessNumber(value) : value,
      ),
    ],
    'add.mode-as-enumeration': [
      'The modes 0 and 1 are accepted for mult and fixed.',
      reads('mode', (value) => (isLosslessNumber(value) ? (value.value === '1' ? 'fixed' : 'mult') : value)),
    ],
    'add.value-as-text': [
      'A value in quotes is accepted up to the first invalid character: "1,5" becomes 1.',
      reads('value', (value) =>
        typeof value === 'string' ? new LosslessNumber(String(Number.parseFloat(value) || 0)) : value,
      ),
    ],
    'add.direction-as-flag': [
      'A direction that is not a string is read as a flag: reverse if it is truthy.',
      reads('direction', (value) => {
        if (value === true) return 'reverse'
        return isLosslessNumber(value) ? (Number(value.value) === 0 ? 'same' : 'reverse') : value
      }),
    ],
  }),
  ...rows('plugin.add.wrong-type', {
    'add.follower-from-true': ['The follower true is accepted as login 1.', accepts('follower', true, one)],
    'add.follower-from-array': [
      'A follower in an array is accepted.',
      reads('follower', (value) => (Array.isArray(value) ? value[0] : value)),
    ],
    'add.login-of-other-type-becomes-one': [
      'A login that is not a number becomes 1.',
      reads(['master', 'follower'], (value) => (isLosslessNumber(value) ? value : one)),
    ],
    'add.login-without-its-fraction': [
      'The fraction of a login is dropped: 900000998.5 is stored as 900000998.',
      ({ loginNumeral }) => ({
        loginNumeral: (field, value) => ({ ...loginNumeral(field, value), isInteger: true, hasFraction: false }),
      }),
    ],
    'add.mode-from-array': [
      'A mode in an array is accepted.',
      reads('mode', (value) => (Array.isArray(value) ? String(value) : value)),
    ],
    'add.value-from-true': ['The value true is accepted as 1.', accepts('value', true, one)],
    'add.direction-null-is-same': ['The direction null is accepted as same.', accepts('direction', null, 'same')],
  }),
  ...rows('plugin.add.bad-request-is-400', {
    'add.null-is-500': [
      'A mode or direction of null returns 500.',
      refuses(['mode', 'direction'], null, 500, 'Internal server error.'),
    ],
    'add.wrong-type-of-value-is-422': [
      'A value of the wrong type returns 422, other fields of the wrong type return 400.',
      reads('value', (value) => (isLosslessNumber(value) ? value : reject(422, 'value must be a number.'))),
    ],
    'add.wrong-type-of-login-found-when-saving': [
      'A login of the wrong type fails only when the rule is saved, and returns 500.',
      ({ loginNumeral }) => ({
        loginNumeral: (field, value) => {
          try {
            return loginNumeral(field, value)
          } catch (error) {
            throw error instanceof ErrorResponse ? new ErrorResponse(500, 'The rule could not be saved.') : error
          }
        },
      }),
    ],
  }),
]
