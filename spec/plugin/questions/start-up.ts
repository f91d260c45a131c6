import type { Question } from '../../question.ts'

export const startUpQuestions = [
  {
    id: 'plugin.start.copy-order',
    clause: '4.3 rule 2',
    question: 'In which order are Copy_2 and Copy_10 loaded?',
    answers: {
      numeric: 'by number: Copy_2 before Copy_10',
      lexical: 'by text: Copy_10 before Copy_2',
    },
    default: 'numeric',
    why: 'It decides which rule has which index after a start.',
  },
  {
    id: 'plugin.start.copy-spelling',
    clause: '4.3 rule 2',
    question: 'Is a parameter with leading zeros (Copy_007) loaded?',
    answers: { loaded: 'it is loaded', ignored: 'it is ignored' },
    default: 'loaded',
    why: 'Administrators pad numbers so that they sort well.',
  },
  {
    id: 'plugin.start.copy-spaces',
    clause: '4.3 rule 2',
    question: 'Is a Copy_N value with spaces around its parts (`1001 > 2001, mult, 1.0, same`) read?',
    answers: {
      accepted: 'it is read as if the spaces were not there',
      unreadable: 'it is treated as unreadable',
    },
    default: 'accepted',
    why: 'The value is typed by hand in an administrator tool.',
  },
  {
    id: 'plugin.start.copy-unreadable',
    clause: '4.3 rule 2',
    question: 'What happens when one Copy_N value cannot be read (`garbage`) and others can?',
    answers: {
      skipped: 'that one is skipped and the others are loaded',
      'none-loaded': 'no rule is loaded',
      'refuses-to-start': 'the API does not start',
    },
    default: 'skipped',
    why: 'One typing error silences one rule, all rules or the plugin.',
  },
  {
    id: 'plugin.start.copy-over-capacity',
    clause: '8',
    question: 'What happens when Copy_N lists more rules than the capacity?',
    answers: {
      first: 'the first ones are loaded, up to the capacity',
      all: 'all are loaded, and the list is over its capacity',
      'refuses-to-start': 'the API does not start',
    },
    default: 'first',
    why: 'Rules that are left out silently are trades that do not happen.',
  },
  {
    id: 'plugin.start.copy-saved',
    clause: '4.3',
    question: 'Does a start from Copy_N, with no change through the API, create the rules file?',
    answers: {
      no: 'no: after the parameters are changed, a restart shows the new ones',
      yes: 'yes: after the parameters are changed, a restart still shows the old ones',
    },
    default: 'no',
    why: 'It decides whether an edit in the administrator tool has any effect.',
  },
  {
    id: 'plugin.start.file-corrupt',
    clause: '4.3 rule 2',
    question: 'What happens at start-up when the rules file cannot be read?',
    answers: {
      empty: 'the list is empty',
      parameters: 'the rules of Copy_N are loaded',
      'refuses-to-start': 'the API does not start',
    },
    default: 'empty',
    why: 'After a damaged disk, the wrong rules may trade, or none.',
  },
  {
    id: 'plugin.start.file-over-capacity',
    clause: '8',
    question: 'What happens at start-up when the rules file holds more rules than the capacity?',
    answers: {
      first: 'the first ones are loaded, up to the capacity',
      all: 'all are loaded, and the list is over its capacity',
      'refuses-to-start': 'the API does not start',
    },
    default: 'all',
    why: 'A smaller licence after an upgrade may drop rules that are still wanted.',
  },
] as const satisfies readonly Question[]
