import { questions } from '../../clause.ts'

const overCapacity = {
  first: 'the first rules are loaded, up to the capacity',
  all: 'all rules are loaded, and the list exceeds its capacity',
  'refuses-to-start': 'the API does not start',
} as const

export const startUpQuestions = questions('4.3 rule 2', {
  'plugin.start.copy-syntax': {
    question: 'Are rules loaded from a Copy_N value written as Master>Follower,mode,value,direction?',
    answers: {
      public: 'yes: the publicly documented syntax is read',
      other: 'no: Copy_N has another syntax',
    },
    why: 'Parameters that were written for one server load no rules on another.',
  },
  'plugin.start.copy-order': {
    question: 'In which order are Copy_2 and Copy_10 loaded?',
    answers: {
      numeric: 'by number: Copy_2 before Copy_10',
      lexical: 'alphabetically: Copy_10 before Copy_2',
    },
    why: 'It decides which rule has which index after a start.',
  },
  'plugin.start.copy-spelling': {
    question: 'Is a parameter with leading zeros (Copy_007) loaded?',
    answers: { loaded: 'yes', ignored: 'no: it is ignored' },
    why: 'Administrators pad numbers so that they sort correctly.',
  },
  'plugin.start.copy-spaces': {
    question: 'Is a Copy_N value with spaces around its parts (`1001 > 2001, mult, 1.0, same`) accepted?',
    answers: {
      accepted: 'yes: the spaces are ignored',
      unreadable: 'no: the value is treated as unreadable',
    },
    why: 'Administrators type the value by hand.',
  },
  'plugin.start.copy-unreadable': {
    question: 'What happens when one of several Copy_N values cannot be read (`garbage`)?',
    answers: {
      skipped: 'that value is skipped and the others are loaded',
      'none-loaded': 'no rule is loaded',
      'refuses-to-start': 'the API does not start',
    },
    why: 'One typing error disables one rule, all rules or the whole plugin.',
  },
  'plugin.start.copy-over-capacity': {
    clause: '8',
    question: 'What happens when Copy_N defines more rules than the capacity?',
    answers: overCapacity,
    why: 'Rules that are dropped silently are trades that do not happen.',
  },
  'plugin.start.copy-saved': {
    clause: '4.3',
    question: 'Does a start from Copy_N create the rules file before any change through the API?',
    answers: {
      no: 'no: changed parameters take effect after a restart',
      yes: 'yes: changed parameters have no effect after a restart',
    },
    why: 'It decides whether an edit in the administrator tool has any effect.',
  },
  'plugin.start.file-corrupt': {
    question: 'What happens at startup when the rules file cannot be read?',
    answers: {
      empty: 'the list is empty',
      parameters: 'the Copy_N rules are loaded',
      'refuses-to-start': 'the API does not start',
    },
    why: 'After disk damage, the wrong rules may trade, or none.',
  },
  'plugin.start.file-over-capacity': {
    clause: '8',
    question: 'What happens at startup when the rules file holds more rules than the capacity?',
    answers: overCapacity,
    default: 'all',
    why: 'A smaller licence after an upgrade may drop rules that are still needed.',
  },
})
