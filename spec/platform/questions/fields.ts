import { questions } from '../../clause.ts'

const rejected = { '400': 'it returns 400', '422': 'it returns 422' } as const
const rejectedOrCreated = { ...rejected, accepted: 'the account is created' } as const

export const fieldQuestions = questions('2.2', {
  'platform.create.missing-name': {
    question: 'How is a creation without name handled?',
    answers: { ...rejected, accepted: 'the server chooses a name' },
    default: '400',
    why: 'A form with an empty field opens an account without a name.',
  },
  'platform.create.missing-group': {
    question: 'How is a creation without group handled?',
    answers: { ...rejected, accepted: 'the server chooses a group' },
    default: '400',
    why: 'The account ends up in a group with other trading conditions than intended.',
  },
  'platform.create.missing-leverage': {
    question: 'How is a creation without leverage handled?',
    answers: { ...rejected, accepted: 'the server chooses a leverage' },
    default: '400',
    why: 'An account is opened with a leverage that the client did not choose.',
  },
  'platform.create.missing-currency': {
    question: 'How is a creation without currency handled?',
    answers: { ...rejected, accepted: 'the server chooses a currency' },
    default: '400',
    why: 'An account is opened in a currency that the client did not choose.',
  },
  'platform.create.missing-balance': {
    question: 'How is a creation without balance handled?',
    answers: { ...rejected, accepted: 'the server chooses a balance' },
    default: '400',
    why: 'An account is opened with an amount that the client did not choose.',
  },
  'platform.create.name-empty': {
    question: 'How is a creation with an empty name handled?',
    answers: rejectedOrCreated,
    default: '400',
    why: 'An account without a name cannot be told apart from others.',
  },
  'platform.create.name-number': {
    question: 'How is a creation with a number as the name handled?',
    answers: rejectedOrCreated,
    default: '400',
    why: 'A client that sends an id as the name may not notice its mistake.',
  },
  'platform.create.name-long': {
    question: 'How is a creation with a name of 300 characters handled?',
    answers: rejectedOrCreated,
    default: '400',
    why: 'The trading platform stores names in fixed-length fields.',
  },
  'platform.create.group-number': {
    question: 'How is a creation with a number as the group handled?',
    answers: rejectedOrCreated,
    default: '400',
    why: 'Older systems number their groups.',
  },
  'platform.create.group-unknown': {
    question: 'How is a creation with a group that does not exist handled?',
    answers: rejectedOrCreated,
    default: '400',
    why: 'A mistyped group opens an account without defined trading conditions.',
  },
  'platform.create.group-upper-case': {
    question: 'How is a creation with the group in upper case handled?',
    answers: rejectedOrCreated,
    default: '400',
    why: 'The trading platform itself displays groups in capital letters.',
  },
  'platform.create.leverage-zero': {
    question: 'How is a creation with leverage 0 handled?',
    answers: rejectedOrCreated,
    default: '400',
    why: 'Margin is computed by dividing by the leverage.',
  },
  'platform.create.leverage-negative': {
    question: 'How is a creation with a negative leverage handled?',
    answers: rejectedOrCreated,
    default: '400',
    why: 'A negative margin lets a client trade without money.',
  },
  'platform.create.leverage-decimal': {
    question: 'How is a creation with leverage 100.5 handled?',
    answers: rejectedOrCreated,
    default: '400',
    why: 'Leverage is an integer, and a server that truncates it does so silently.',
  },
  'platform.create.leverage-text': {
    question: 'How is a creation with the leverage as a string ("100") handled?',
    answers: rejectedOrCreated,
    default: '400',
    why: 'Forms in a browser send every number as a string.',
  },
  'platform.create.leverage-large': {
    question: 'How is a creation with leverage 100000 handled?',
    answers: rejectedOrCreated,
    default: '400',
    why: 'A leverage with two digits too many ruins a client.',
  },
  'platform.create.currency-unknown': {
    question: 'How is a creation with a currency that does not exist (QQQ) handled?',
    answers: rejectedOrCreated,
    default: '400',
    why: 'There is no exchange rate for it, so the balance is worth nothing.',
  },
  'platform.create.currency-lower-case': {
    question: 'How is a creation with a currency in lower case (usd) handled?',
    answers: rejectedOrCreated,
    default: '400',
    why: 'Two spellings of one currency become two totals in a report.',
  },
  'platform.create.currency-two-letters': {
    question: 'How is a creation with a currency of two letters (US) handled?',
    answers: rejectedOrCreated,
    default: '400',
    why: 'A country code is mistaken for a currency code.',
  },
  'platform.create.currency-symbol': {
    question: 'How is a creation with a symbol as the currency ($) handled?',
    answers: rejectedOrCreated,
    default: '400',
    why: 'More than twenty currencies share the symbol.',
  },
  'platform.create.balance-zero': {
    question: 'How is a creation with balance 0 handled?',
    answers: rejectedOrCreated,
    default: 'accepted',
    why: 'Accounts are often opened before the first deposit.',
  },
  'platform.create.balance-negative': {
    question: 'How is a creation with a negative balance handled?',
    answers: rejectedOrCreated,
    default: '400',
    why: 'The account starts in debt.',
  },
  'platform.create.balance-text': {
    question: 'How is a creation with the balance as a string ("1000") handled?',
    answers: rejectedOrCreated,
    default: '400',
    why: 'Forms in a browser send every number as a string.',
  },
  'platform.create.balance-null': {
    question: 'How is a creation with balance null handled?',
    answers: rejectedOrCreated,
    default: '400',
    why: 'Clients send null for values that they do not know.',
  },
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
