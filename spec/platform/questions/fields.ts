import { questions, returns } from '../../clause.ts'

/** How most servers handle an invalid field. */
const rejected = returns('it', '400', '422')

/** A creation that most servers reject. */
const rejects = (creation: string, why: string, accepted = 'the account is created') =>
  ({
    question: `How is a creation ${creation} handled?`,
    answers: { ...rejected, accepted },
    default: '400',
    why,
  }) as const

const invalid = (value: string, why: string) => rejects(`with ${value}`, why)
const missing = (field: string, why: string) => rejects(`without ${field}`, why, `the server chooses a ${field}`)
const unchosen = (how: string) => `An account is opened ${how} that the client did not choose.`

export const fieldQuestions = questions('2.2', {
  'platform.create.missing-name': missing('name', 'A form with an empty field opens an account without a name.'),
  'platform.create.missing-group': missing(
    'group',
    'The account ends up in a group with other trading conditions than intended.',
  ),
  'platform.create.missing-leverage': missing('leverage', unchosen('with a leverage')),
  'platform.create.missing-currency': missing('currency', unchosen('in a currency')),
  'platform.create.missing-balance': missing('balance', unchosen('with an amount')),
  'platform.create.name-empty': invalid('an empty name', 'An account without a name cannot be told apart from others.'),
  'platform.create.name-number': invalid(
    'a number as the name',
    'A client that sends an id as the name may not notice its mistake.',
  ),
  'platform.create.name-long': invalid(
    'a name of 300 characters',
    'The trading platform stores names in fixed-length fields.',
  ),
  'platform.create.group-number': invalid('a number as the group', 'Older systems number their groups.'),
  'platform.create.group-unknown': invalid(
    'a group that does not exist',
    'A mistyped group opens an account without defined trading conditions.',
  ),
  'platform.create.group-upper-case': invalid(
    'the group in upper case',
    'The trading platform itself displays groups in capital letters.',
  ),
  'platform.create.leverage-zero': invalid('leverage 0', 'Margin is computed by dividing by the leverage.'),
  'platform.create.leverage-negative': invalid(
    'a negative leverage',
    'A negative margin lets a client trade without money.',
  ),
  'platform.create.leverage-decimal': invalid(
    'leverage 100.5',
    'Leverage is an integer, and a server that truncates it does so silently.',
  ),
  'platform.create.leverage-text': invalid(
    'the leverage as a string ("100")',
    'Forms in a browser send every number as a string.',
  ),
  'platform.create.leverage-large': invalid('leverage 100000', 'A leverage with two digits too many ruins a client.'),
  'platform.create.currency-unknown': invalid(
    'a currency that does not exist (QQQ)',
    'There is no exchange rate for it, so the balance is worth nothing.',
  ),
  'platform.create.currency-lower-case': invalid(
    'a currency in lower case (usd)',
    'Two spellings of one currency become two totals in a report.',
  ),
  'platform.create.currency-two-letters': invalid(
    'a currency of two letters (US)',
    'A country code is mistaken for a currency code.',
  ),
  'platform.create.currency-symbol': invalid(
    'a symbol as the currency ($)',
    'More than twenty currencies share the symbol.',
  ),
  'platform.create.balance-zero': {
    ...invalid('balance 0', 'Accounts are often opened before the first deposit.'),
    default: 'accepted',
  },
  'platform.create.balance-negative': invalid('a negative balance', 'The account starts in debt.'),
  'platform.create.balance-text': invalid(
    'the balance as a string ("1000")',
    'Forms in a browser send every number as a string.',
  ),
  'platform.create.balance-null': invalid('balance null', 'Clients send null for values that they do not know.'),
  'platform.create.balance-third-decimal': {
    question: 'How is a creation with a balance of three decimals (1000.125) handled?',
    answers: {
      'kept': 'the balance is stored exactly',
      'rounded': 'the account is created with another balance',
      ...rejected,
    },
    default: 'kept',
    why: 'Balances differ by cents from those of the brokerage.',
  },
})
