import { isLosslessNumber } from 'lossless-json'
import { reject } from '../../defect-parts/reject.ts'
import { withText } from '../../defect-parts/wire.ts'
import { ErrorResponse } from '../../server/error-response.ts'
import type { PlatformOverride } from '../hooks/hooks.ts'
import type { TradingAccount } from '../model/trading-account.ts'
import type { PlatformDefect } from './defect.ts'
import { withoutBody, withoutList } from './masks.ts'

/** A server that puts a body right before it reads it. */
function lenient(correct: (text: string) => string): PlatformOverride {
  return ({ parseJson }) => ({ parseJson: (text) => parseJson(correct(text)) })
}

/** A server that refuses some texts, whatever they say as JSON. */
function rejecting(text: RegExp): PlatformOverride {
  return ({ parseJson }) => ({
    parseJson: (given) => (text.test(given) ? reject(400, 'Invalid JSON.') : parseJson(given)),
  })
}

const ghost: Omit<TradingAccount, 'id' | 'name'> = {
  group: 'demo',
  leverage: 100,
  currency: 'USD',
  balance: 0,
  createdAt: '2025-03-04T09:30:15.250Z',
}

/** Accounts that are shown although their creation was refused. */
function ghosts() {
  const names: string[] = []
  return {
    add: (name: string) => names.push(name),
    among: (accounts: readonly TradingAccount[]) => [
      ...accounts,
      ...names.map((name, place) => ({ ...ghost, id: `ta_${place}`, name })),
    ],
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
    override: () => ({
      finish: (response, { method }) =>
        method === 'POST' && response.status < 300 ? withText(response, 'Created', 'application/json') : response,
    }),
  },
  {
    id: 'platform.create.body-ends-early',
    breaks: ['platform.create.json'],
    maskedBy: withoutBody,
    summary: 'The response to a creation lacks its last character.',
    override: () => ({
      finish: (response, { method }) =>
        method === 'POST' && response.status < 300 && response.body !== undefined
          ? { ...response, body: response.body.subarray(0, -1) }
          : response,
    }),
  },
  {
    id: 'platform.create.labelled-as-html',
    breaks: ['platform.create.content-type'],
    maskedBy: withoutBody,
    summary: 'The response to a creation has Content-Type text/html.',
    override: () => ({
      finish: (response, { method }) =>
        method === 'POST' && response.status < 300 && response.body !== undefined
          ? { ...response, headers: { ...response.headers, 'Content-Type': 'text/html' } }
          : response,
    }),
  },
  {
    id: 'platform.create.name-must-come-first',
    breaks: ['platform.create.any-order'],
    summary: 'A body that does not begin with name is rejected.',
    override: rejecting(/^\s*\{\s*"(?!name")[a-z]+"/),
  },
  {
    id: 'platform.create.line-breaks-refused',
    breaks: ['platform.create.any-order'],
    summary: 'A body with more than one line is rejected.',
    override: rejecting(/\n/),
  },
  {
    id: 'platform.create.escapes-refused',
    breaks: ['platform.create.escaped-text'],
    summary: 'A body with an escape like \\u0041 is rejected.',
    override: rejecting(/\\u/i),
  },
  {
    id: 'platform.create.charset-refused',
    breaks: ['platform.create.charset'],
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
      const { add, among } = ghosts()
      return {
        parseJson: (text) => {
          try {
            return parseJson(text)
          } catch (error) {
            add('Unnamed')
            throw error
          }
        },
        listedAccounts: (accounts, query) => listedAccounts(among(accounts), query),
      }
    },
  },
  {
    id: 'platform.create.missing-brace-forgiven',
    breaks: ['platform.create.invalid-json'],
    summary: 'A body without its closing brace is accepted.',
    override: lenient((text) => (/[^}\s]\s*$/.test(text) && text.startsWith('{') ? `${text}}` : text)),
  },
  {
    id: 'platform.create.comma-before-brace-forgiven',
    breaks: ['platform.create.invalid-json'],
    summary: 'A trailing comma is accepted.',
    override: lenient((text) => text.replace(/,\s*}/, '}')),
  },
  {
    id: 'platform.create.invalid-json-answered-500',
    breaks: ['platform.create.invalid-json'],
    summary: 'Invalid JSON returns 500.',
    override: ({ parseJson }) => ({
      parseJson: (text) => {
        try {
          return parseJson(text)
        } catch {
          return reject(500, 'Internal server error.')
        }
      },
    }),
  },
  {
    id: 'platform.create.first-of-a-list',
    breaks: ['platform.create.not-an-object'],
    summary: 'Of a list of accounts the first is created.',
    override: ({ membersOf }) => ({ membersOf: (value) => membersOf(Array.isArray(value) ? value[0] : value) }),
  },
  {
    id: 'platform.create.null-answered-500',
    breaks: ['platform.create.not-an-object'],
    summary: 'A body that is not an object returns 500.',
    override: ({ membersOf }) => ({
      membersOf: (value) => {
        try {
          return membersOf(value)
        } catch {
          return reject(500, 'Internal server error.')
        }
      },
    }),
  },
]
