import { isLosslessNumber, LosslessNumber } from 'lossless-json'
import { reject } from '../../defect-parts/reject.ts'
import { ErrorResponse } from '../../server/error-response.ts'
import type { LoginField } from '../hooks/login.ts'
import { readNumeral } from '../model/numeral.ts'
import type { Defect } from './defect.ts'
import { readsDirection, readsMode, readsValue } from './overrides.ts'

/** A server that turns the JSON value of one login into another before it judges it. */
function convertsLogin(only: LoginField, convert: (value: unknown) => unknown): Defect['override'] {
  return ({ loginNumeral }) => ({
    loginNumeral: (field, value) => loginNumeral(field, field === only ? convert(value) : value),
  })
}

const nullIs500 = (value: unknown) => (value === null ? reject(500, 'Internal server error.') : value)

/** Clauses 4.2 and 7: a field of the wrong JSON type. */
export const addTypeDefects: readonly Defect[] = [
  {
    id: 'add.master-as-text',
    breaks: ['plugin.add.wrong-type', 'plugin.add.bad-request-is-400'],
    summary: 'A master in quotes is accepted if it consists of digits.',
    override: convertsLogin('master', (value) =>
      typeof value === 'string' && /^\d+$/.test(value) ? new LosslessNumber(value) : value,
    ),
  },
  {
    id: 'add.follower-from-true',
    breaks: ['plugin.add.wrong-type'],
    summary: 'The follower true is accepted as login 1.',
    override: convertsLogin('follower', (value) => (value === true ? new LosslessNumber('1') : value)),
  },
  {
    id: 'add.follower-from-array',
    breaks: ['plugin.add.wrong-type'],
    summary: 'A follower in an array is accepted.',
    override: convertsLogin('follower', (value) => (Array.isArray(value) ? value[0] : value)),
  },
  {
    id: 'add.login-of-other-type-becomes-one',
    breaks: ['plugin.add.wrong-type'],
    summary: 'A login that is not a number becomes 1.',
    override: () => ({
      loginNumeral: (_, value) => readNumeral(isLosslessNumber(value) ? value.value : '1'),
    }),
  },
  {
    id: 'add.login-without-its-fraction',
    breaks: ['plugin.add.wrong-type'],
    summary: 'The fraction of a login is dropped: 900000998.5 is stored as 900000998.',
    override: ({ loginNumeral }) => ({
      loginNumeral: (field, value) => ({ ...loginNumeral(field, value), isInteger: true, hasFraction: false }),
    }),
  },
  {
    id: 'add.mode-as-enumeration',
    breaks: ['plugin.add.wrong-type', 'plugin.add.bad-request-is-400'],
    summary: 'The modes 0 and 1 are accepted for mult and fixed.',
    override: ({ readMode }) => ({
      readMode: (value) => (isLosslessNumber(value) ? (value.value === '1' ? 'fixed' : 'mult') : readMode(value)),
    }),
  },
  {
    id: 'add.mode-from-array',
    breaks: ['plugin.add.wrong-type'],
    summary: 'A mode in an array is accepted.',
    override: readsMode((value) => (Array.isArray(value) ? String(value) : value)),
  },
  {
    id: 'add.value-as-text',
    breaks: ['plugin.add.wrong-type', 'plugin.add.bad-request-is-400'],
    summary: 'A value in quotes is accepted up to the first invalid character: "1,5" becomes 1.',
    override: readsValue((value) =>
      typeof value === 'string' ? new LosslessNumber(String(Number.parseFloat(value) || 0)) : value,
    ),
  },
  {
    id: 'add.value-from-true',
    breaks: ['plugin.add.wrong-type'],
    summary: 'The value true is accepted as 1.',
    override: readsValue((value) => (value === true ? new LosslessNumber('1') : value)),
  },
  {
    id: 'add.direction-null-is-same',
    breaks: ['plugin.add.wrong-type'],
    summary: 'The direction null is accepted as same.',
    override: readsDirection((value) => (value === null ? 'same' : value)),
  },
  {
    id: 'add.direction-as-flag',
    breaks: ['plugin.add.wrong-type', 'plugin.add.bad-request-is-400'],
    summary: 'A direction that is not a string is read as a flag: reverse if it is truthy.',
    override: ({ readDirection }) => ({
      readDirection: (value) => {
        if (value === true) return 'reverse'
        return isLosslessNumber(value) ? (Number(value.value) === 0 ? 'same' : 'reverse') : readDirection(value)
      },
    }),
  },
  {
    id: 'add.null-is-500',
    breaks: ['plugin.add.bad-request-is-400'],
    summary: 'A mode or direction of null returns 500.',
    override: (hooks) => ({ ...readsMode(nullIs500)(hooks), ...readsDirection(nullIs500)(hooks) }),
  },
  {
    id: 'add.wrong-type-of-value-is-422',
    breaks: ['plugin.add.bad-request-is-400'],
    summary: 'A value of the wrong type returns 422, other fields of the wrong type return 400.',
    override: readsValue((value) => (isLosslessNumber(value) ? value : reject(422, 'value must be a number.'))),
  },
  {
    id: 'add.wrong-type-of-login-found-when-saving',
    breaks: ['plugin.add.bad-request-is-400'],
    summary: 'A login of the wrong type fails only when the rule is saved, and returns 500.',
    override: ({ loginNumeral }) => ({
      loginNumeral: (field, value) => {
        try {
          return loginNumeral(field, value)
        } catch (error) {
          throw error instanceof ErrorResponse ? new ErrorResponse(500, 'The rule could not be saved.') : error
        }
      },
    }),
  },
]
