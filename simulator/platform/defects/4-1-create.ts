import type { IncomingMessage } from 'node:http'
import { isLosslessNumber } from 'lossless-json'
import { correctsBody, rejectsBody, withClosingBrace, withoutTrailingComma } from '../../defect-parts/json-body.ts'
import { reject } from '../../defect-parts/reject.ts'
import { changesResponse, withContentType, withText } from '../../defect-parts/wire.ts'
import { ErrorResponse } from '../../server/error-response.ts'
import type { TradingAccount } from '../model/trading-account.ts'
import type { PlatformDefect } from './defect.ts'
import { withoutBody, withoutList } from './masks.ts'

const isCreated = (status: number, { method }: IncomingMessage) => method === 'POST' && status < 300

/** Returns 500 where this function rejects its input. */
function failing500<Input, Output>(read: (input: Input) => Output): (input: Input) => Output {
  return (input) => {
    try {
      return read(input)
    } catch {
      return reject(500, 'Internal server error.')
    }
  }
}

const ghost: Omit<TradingAccount, 'id'> = {
  name: 'Unnamed',
  group: 'demo',
  leverage: 100,
  currency: 'USD',
  balance: 0,
  createdAt: '2025-03-04T09:30:15.250Z',
}

/** Accounts that are listed although their creation was rejected. */
function ghosts() {
  const made: TradingAccount[] = []
  return {
    /** Adds one whenever this function rejects its input. */
    addWhereRejected:
      <Input, Output>(read: (input: Input) => Output) =>
      (input: Input): Output => {
        try {
          return read(input)
        } catch (error) {
          made.push({ ...ghost, id: `ta_${made.length}` })
          throw error
        }
      },
    among: (accounts: readonly TradingAccount[]) => [...accounts, ...made],
  }
}

/** Clause 4.1: what may be created, and what is answered. */
export const creationDefects: readonly PlatformDefect[] = [
  {
    id: 'platform.create.leverage-of-number-refused',
    breaks: ['platform.create.accepted'],
    summary: 'leverage as a number is rejected; a string is expected.',
    override: ({ readLeverage }) => ({
      readLeverage: (value) =>
        isLosslessNumber(value) ? reject(400, 'leverage must be a string.') : readLeverage(value),
    }),
  },
  {
    id: 'platform.create.email-demanded',
    breaks: ['platform.create.accepted'],
    summary: 'The undocumented member email is required.',
    override: ({ judgeMemberNames }) => ({
      judgeMemberNames: (names) =>
        names.includes('email') ? judgeMemberNames(names) : new ErrorResponse(400, 'email is missing.'),
    }),
  },
  {
    id: 'platform.create.one-account-per-group',
    breaks: ['platform.create.every-time'],
    summary: 'A second account in the same group is rejected.',
    override: ({ judgeRepetition }) => ({
      judgeRepetition: (terms, accounts) =>
        accounts.some(({ group }) => group === terms.group)
          ? reject(409, 'There is an account in this group already.')
          : judgeRepetition(terms, accounts),
    }),
  },
  {
    id: 'platform.create.whole-balances-only',
    breaks: ['platform.create.balance-with-fraction'],
    summary: 'A balance with a fraction is rejected.',
    override: ({ readBalance }) => ({
      readBalance: (value) => {
        const balance = readBalance(value)
        return Number.isInteger(balance) ? balance : reject(400, 'balance must be an integer.')
      },
    }),
  },
  {
    id: 'platform.create.answered-with-text',
    breaks: ['platform.create.json'],
    summary: 'The response to a creation is labelled as JSON, but is plain text.',
    override: changesResponse(isCreated, (response) => withText(response, 'Created', 'application/json')),
  },
  {
    id: 'platform.create.body-ends-early',
    breaks: ['platform.create.json'],
    maskedBy: withoutBody,
    summary: 'The response to a creation lacks its last character.',
    override: changesResponse(isCreated, (response) => ({ ...response, body: response.body?.subarray(0, -1) })),
  },
  {
    id: 'platform.create.labelled-as-html',
    breaks: ['platform.create.content-type'],
    maskedBy: withoutBody,
    summary: 'The response to a creation has Content-Type text/html.',
    override: changesResponse(isCreated, (response) =>
      response.body === undefined ? response : withContentType(response, 'text/html'),
    ),
  },
  {
    id: 'platform.create.name-must-come-first',
    breaks: ['platform.create.any-json-form'],
    summary: 'A body that does not begin with name is rejected.',
    override: rejectsBody((text) => /^\s*\{\s*"(?!name")[a-z]+"/.test(text)),
  },
  {
    id: 'platform.create.line-breaks-refused',
    breaks: ['platform.create.any-json-form'],
    summary: 'A body with more than one line is rejected.',
    override: rejectsBody((text) => text.includes('\n')),
  },
  {
    id: 'platform.create.escapes-refused',
    breaks: ['platform.create.any-json-form'],
    summary: 'A body with an escape like \\u0041 is rejected.',
    override: rejectsBody((text) => /\\u/i.test(text)),
  },
  {
    id: 'platform.create.charset-refused',
    breaks: ['platform.create.any-json-form'],
    summary: 'A Content-Type with a charset is rejected.',
    override: ({ judgeContentType }) => ({
      judgeContentType: (type) =>
        type?.includes(';')
          ? new ErrorResponse(415, 'The Content-Type must be application/json.')
          : judgeContentType(type),
    }),
  },
  {
    id: 'platform.create.stored-before-it-is-read',
    breaks: ['platform.create.refused-adds-nothing'],
    maskedBy: withoutList,
    summary: 'An account is created before its body is parsed, and stays if the body is not JSON.',
    override: ({ parseJson, listedAccounts }) => {
      const { addWhereRejected, among } = ghosts()
      return {
        parseJson: addWhereRejected(parseJson),
        listedAccounts: (accounts, query) => listedAccounts(among(accounts), query),
      }
    },
  },
  {
    id: 'platform.create.stored-before-its-balance-is-read',
    breaks: ['platform.create.refused-adds-nothing'],
    maskedBy: withoutList,
    summary: 'An account is created before its balance is read, and stays if that is missing.',
    override: ({ readBalance, listedAccounts }) => {
      const { addWhereRejected, among } = ghosts()
      return {
        readBalance: addWhereRejected(readBalance),
        listedAccounts: (accounts, query) => listedAccounts(among(accounts), query),
      }
    },
  },
  {
    id: 'platform.create.missing-brace-forgiven',
    breaks: ['platform.create.malformed-body'],
    summary: 'A body without its closing brace is accepted.',
    override: correctsBody(withClosingBrace),
  },
  {
    id: 'platform.create.comma-before-brace-forgiven',
    breaks: ['platform.create.malformed-body'],
    summary: 'A trailing comma is accepted.',
    override: correctsBody(withoutTrailingComma),
  },
  {
    id: 'platform.create.invalid-json-answered-500',
    breaks: ['platform.create.malformed-body'],
    summary: 'Invalid JSON returns 500.',
    override: ({ parseJson }) => ({ parseJson: failing500(parseJson) }),
  },
  {
    id: 'platform.create.first-of-a-list',
    breaks: ['platform.create.malformed-body'],
    summary: 'Of a list of accounts the first is created.',
    override: ({ membersOf }) => ({ membersOf: (value) => membersOf(Array.isArray(value) ? value[0] : value) }),
  },
  {
    id: 'platform.create.null-answered-500',
    breaks: ['platform.create.malformed-body'],
    summary: 'A body that is not an object returns 500.',
    override: ({ membersOf }) => ({ membersOf: failing500(membersOf) }),
  },
]
