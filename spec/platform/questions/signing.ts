import type { Question } from '../../question.ts'

export const signingQuestions = [
  {
    id: 'platform.signing.check',
    clause: '5',
    question: 'What becomes of the signature of a request?',
    answers: {
      'accepted': 'it is checked where there is one; the key alone is accepted',
      'required': 'it is checked, and a request without one is refused',
      'off': 'it is ignored',
    },
    default: 'accepted',
    why: 'A client that signs wrongly is locked out, or never learns of it.',
  },
  {
    id: 'platform.signing.status',
    clause: '7',
    question: 'With which status is a request with a wrong signature refused?',
    answers: {
      '401': '401',
      '403': '403',
    },
    default: '401',
    why: 'A client asks for another key, or gives up.',
  },
  {
    id: 'platform.signing.stale',
    clause: '5',
    question: 'How is a signed request answered whose timestamp is ten minutes old?',
    answers: {
      'refused': 'it is refused',
      'accepted': 'it is accepted',
    },
    default: 'refused',
    why: 'A client whose clock is wrong is locked out; one that was overheard can be imitated.',
  },
  {
    id: 'platform.signing.future',
    clause: '5',
    question: 'How is a signed request answered whose timestamp lies ten minutes ahead?',
    answers: {
      'refused': 'it is refused',
      'accepted': 'it is accepted',
    },
    default: 'refused',
    why: 'A client whose clock is wrong is locked out.',
  },
  {
    id: 'platform.signing.replayed',
    clause: '5',
    question: 'How is a signed creation answered that is sent a second time, byte for byte?',
    answers: {
      'accepted': 'like any other creation with that content',
      'refused': 'it is refused for its signature',
    },
    default: 'accepted',
    why: 'Who saw a signed request can send it again: another account is opened.',
  },
  {
    id: 'platform.signing.without-timestamp',
    clause: '5',
    question: 'How is a request answered that has a signature but no timestamp?',
    answers: {
      'refused': 'it is refused',
      'accepted': 'it is treated as one without a signature',
    },
    default: 'refused',
    why: 'A client that lost one of the headers on the way learns of it, or not.',
  },
  {
    id: 'platform.signing.upper-case',
    clause: '5',
    question: 'Is a signature accepted whose hexadecimal digits are written in upper case?',
    answers: {
      'refused': 'no',
      'accepted': 'yes',
    },
    default: 'refused',
    why: 'Languages differ in how they print a digest.',
  },
  {
    id: 'platform.signing.covers-query',
    clause: '5',
    question: 'Does the path that is signed include the query string?',
    answers: {
      'included': 'yes',
      'excluded': 'no',
    },
    default: 'included',
    why: 'A client that asks with a query string is told that its signature is wrong.',
  },
] as const satisfies readonly Question[]
