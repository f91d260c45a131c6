import { questions } from '../../clause.ts'

const rejected = { '400': 'it returns 400', '422': 'it returns 422' } as const

/** A creation with a value that most servers reject. */
const invalid = (question: string, why: string, accepted = 'the account is created') =>
  ({ question, answers: { ...rejected, accepted }, default: '400', why }) as const

const missing = (field: string, why: string) =>
  invalid(`How is a creation without ${field} handled?`, why, `the server chooses a ${field}`)

export const fieldQuestions = questions('2.2', {
  'platform.create.missing-name': missing('name', 'A form with an empty field opens an account without a name.'),
  'platform.create.missing-group': missing(
    'group',
    'The account ends up in a group with other trading conditions than intended.',
  ),
  'platform.create.missing-leverage': missing(
    'leverage',
    'An account is opened with a leverage that the client did not choose.',
  ),
  'platform.create.missing-currency': missing(
    'currency',
    'An account is opened in a currency that the client did not choose.',
  ),
  'platform.create.missing-balance': missing(
    'balance',
    'An account is opened with an amount that the client did not choose.',
  ),
  'platform.create.name-empty': invalid(
    'How is a creation with an empty name handled?',
    'An account without a name cannot be told apart from others.',
  ),
  'platform.create.name-number': invalid(
    'How is a creation with a number as the name handled?',
    'A client that sends an id as the name may not notice its mistake.',
  ),
  'platform.create.name-long': invalid(
    'How is a creation with a name of 300 characters handled?',
    'The trading platform stores names in fixed-length fields.',
  ),
  'platform.create.group-number': invalid(
    'How is a creation with a number as the group handled?',
    'Older systems number their groups.',
  ),
  'platform.create.group-unknown': invalid(
    'How is a creation with a group that does not exist handled?',
    'A mistyped group opens an account without defined trading conditions.',
  ),
  'platform.create.group-upper-case': invalid(
    'How is a creation with the group in upper case handled?',
    'The trading platform itself displays groups in capital letters.',
  ),
  'platform.create.leverage-zero': invalid(
    'How is a creation with leverage 0 handled?',
    'Margin is computed by dividing by the leverage.',
  ),
  'platform.create.leverage-negative': invalid(
    'How is a creation with a negative leverage handled?',
    'A negative margin lets a client trade without money.',
  ),
  'platform.create.leverage-decimal': invalid(
    'How is a creation with leverage 100.5 handled?',
    'Leverage is an integer, and a server that truncates it does so silently.',
  ),
  'platform.create.leverage-text': invalid(
    'How is a creation with the leverage as a string ("100") handled?',
    'Forms in a browser send every number as a string.',
  ),
  'platform.create.leverage-large': invalid(
    'How is a creation with leverage 100000 handled?',
    'A leverage with two digits too many ruins a client.',
  ),
  'platform.create.currency-unknown': invalid(
    'How is a creation with a currency that does not exist (QQQ) handled?',
    'There is no exchange rate for it, so the balance is worth nothing.',
  ),
  'platform.create.currency-lower-case': invalid(
    'How is a creation with a currency in lower case (usd) handled?',
    'Two spellings of one currency become two totals in a report.',
  ),
  'platform.create.currency-two-letters': invalid(
    'How is a creation with a currency of two letters (US) handled?',
    'A country code is mistaken for a currency code.',
  ),
  'platform.create.currency-symbol': invalid(
    'How is a creation with a symbol as the currency ($) handled?',
    'More than twenty currencies share the symbol.',
  ),
  'platform.create.balance-zero': {
    question: 'How is a creation with balance 0 handled?',
    answers: { ...rejected, accepted: 'the account is created' },
    default: 'accepted',
    why: 'Accounts are often opened before the first deposit.',
  },
  'platform.create.balance-negative': invalid(
    'How is a creation with a negative balance handled?',
    'The account starts in debt.',
  ),
  'platform.create.balance-text': invalid(
    'How is a creation with the balance as a string ("1000") handled?',
    'Forms in a browser send every number as a string.',
  ),
  'platform.create.balance-null': invalid(
    'How is a creation with balance null handled?',
    'Clients send null for values that they do not know.',
  ),
  'platform.create.balance-third-decimal': {
    question: 'How is a creation with a balance of three decimals (1000.125) handled?',
    answers: {
      'kept': 'the balance is stored exactly',
      'rounded': 'the account is created with another balance',
      '400': 'it returns 400',
      '422': 'it returns 422',
    },
    default: 'kept',
    why: 'Balances differ by cents from those of the brokerage.',
  },
})
