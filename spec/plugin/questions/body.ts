import { questions } from '../../clause.ts'
import { additionQuestions } from '../../json-api.ts'

const addition = additionQuestions('the rule is added')

export const bodyQuestions = questions('4.2', {
  'plugin.body.unknown-member': {
    question: 'Does POST /api/rules accept an undocumented field?',
    answers: {
      ignored: 'yes: the field is ignored and the rule is added',
      refused: 'no: the request returns 400',
    },
    why: 'A client written for a later version sends fields that this server does not know.',
  },
  'plugin.body.duplicate-member': {
    question: 'Which value counts when the body contains a field twice with two valid values?',
    answers: {
      last: 'the last one',
      first: 'the first one',
      refused: 'neither: the request returns 400',
    },
    why: 'A filter in front of the plugin and the plugin itself may read two different values.',
  },
  'plugin.body.member-case': {
    question: 'Are the names of fields case-sensitive (`Master`)?',
    answers: {
      sensitive: 'yes: `Master` is another field, so master is missing',
      insensitive: 'no: `Master` is master',
    },
    why: 'A client with another spelling works with one server and fails with the next.',
  },
  'plugin.body.content-type-absent': { ...addition.withoutType, default: 'accepted' },
  'plugin.body.content-type-wrong': { ...addition.otherType, default: 'accepted' },
  'plugin.body.byte-order-mark': {
    question: 'Is a byte order mark before the JSON accepted?',
    answers: {
      accepted: 'yes: it is skipped and the rule is added',
      refused: 'no: the request returns 400',
    },
    default: 'refused',
    why: 'Files saved on Windows often start with one.',
  },
  'plugin.body.invalid-utf-8': {
    question: 'Is a body accepted if its only error is invalid UTF-8 in an unknown field?',
    answers: {
      refused: 'no: the request returns 400',
      replaced: 'yes: the bytes are replaced or ignored and the rule is added',
    },
    why: 'It shows whether strings could be damaged silently.',
  },
  'plugin.body.size-limit': { ...addition.sizeLimit, default: '400' },
  'plugin.body.on-delete': {
    question: 'Is a DELETE with a body accepted?',
    answers: {
      ignored: 'yes: the body is ignored and the rule is removed',
      refused: 'no: the request returns 400 and nothing is removed',
    },
    why: 'Some HTTP libraries send an empty JSON object with every DELETE.',
  },
})
