/** Questions that the specification of any JSON API may leave open. Each API gives them ids of its own. */

import { returns } from './clause.ts'

/** About the key of a request. */
export const keyQuestions = {
  beforePath: {
    question: 'Is the key checked before the path?',
    answers: {
      before: 'yes: an unknown path without a key is rejected for the missing key',
      after: 'no: an unknown path without a key is rejected as unknown',
    },
    why: 'The status tells a client whether the address or the key is wrong.',
  },
  beforeMethod: {
    question: 'Is the key checked before the method?',
    answers: {
      before: 'yes: a wrong method on a known path without a key is rejected for the missing key',
      after: 'no: a wrong method on a known path without a key is rejected for the method',
    },
    why: 'Monitoring that sends requests without a key sees one status or the other.',
  },
  beforeBody: {
    question: 'Is the key checked before the body?',
    answers: {
      before: 'yes: an invalid body without a key is rejected for the missing key',
      after: 'no: an invalid body without a key is rejected as invalid',
    },
    why: 'A server that reads the body first can be kept busy without a key.',
  },
  bearerCase: {
    question: 'Is the Bearer scheme accepted in lower case?',
    answers: {
      accepted: 'yes: `Authorization: bearer <key>` is accepted',
      refused: 'no: `Authorization: bearer <key>` is rejected',
    },
    why: 'HTTP libraries differ in how they write the scheme, which HTTP compares case-insensitively.',
  },
  bearerSpaces: {
    question: 'Is more than one space between Bearer and the key accepted?',
    answers: { accepted: 'yes: two spaces are accepted', refused: 'no: two spaces are rejected' },
    why: 'A header that is built by hand works on one server and fails on the next.',
  },
  challenge: {
    question: 'Does the response to a missing or wrong key have a WWW-Authenticate header?',
    answers: { sent: 'yes', absent: 'no' },
    why: 'Some HTTP libraries treat a 401 without a challenge as a malformed response.',
  },
} as const

/** Three spellings of a path. */
type Spellings = Readonly<Record<'known' | 'doubleSlash' | 'otherCase', string>>

/** About the spelling of a path. */
export const pathQuestions = ({ known, doubleSlash, otherCase }: Spellings) =>
  ({
    trailingSlash: {
      question: `How is a trailing slash on a known path (\`${known}/\`) handled?`,
      answers: {
        unknown: 'the path is unknown',
        ignored: 'the slash is ignored',
        redirected: 'it redirects (3xx) to the path without the slash',
      },
      why: 'URL builders add or drop the slash; a redirected POST may lose its body.',
    },
    doubleSlash: {
      question: `How is a double slash (\`${doubleSlash}\`) handled?`,
      answers: {
        unknown: 'the path is unknown',
        ignored: 'it counts as a single slash',
        redirected: 'it redirects (3xx) to the path with a single slash',
      },
      why: 'A base URL with a trailing slash is joined to a path with a leading slash.',
    },
    otherCase: {
      question: `Are paths case-sensitive (\`${otherCase}\`)?`,
      answers: { sensitive: 'yes: the path is unknown', insensitive: 'no: the case is ignored' },
      why: 'Proxy rules that compare paths case-sensitively can be bypassed.',
    },
  }) as const

/** Whether HEAD is allowed on a path that can be read, or returns one of these statuses. */
export const headQuestion = <const Status extends string>(path: string, ...statuses: readonly Status[]) =>
  ({
    question: 'Is HEAD allowed where GET is?',
    answers: { allowed: `yes: HEAD ${path} returns 200 without a body`, ...returns(`no: HEAD ${path}`, ...statuses) },
    default: 'allowed',
    why: 'Load balancers and uptime monitors often use HEAD.',
  }) as const

/** About the body of a request that adds something. `accepted` says that it is added. */
export const additionQuestions = (accepted: string) => {
  const typeAnswers = { accepted, ...returns('the request', '400', '415') } as const
  return {
    withoutType: {
      question: 'How is a JSON body without Content-Type handled?',
      answers: typeAnswers,
      why: 'Small HTTP clients send no Content-Type by default.',
    },
    otherType: {
      question: 'How is a JSON body with another Content-Type (`text/plain`) handled?',
      answers: typeAnswers,
      why: 'A browser can send text/plain across origins without a preflight request.',
    },
    sizeLimit: {
      clause: '8',
      question: 'How is a valid body padded with whitespace to 2 MiB handled?',
      answers: {
        accepted,
        ...returns('the request', '400', '413'),
        closed: 'the connection is closed without a response',
      },
      why: 'A server without a limit can be made to run out of memory.',
    },
  } as const
}

/** Which of these statuses an error response has; the first by default. */
export const errorStatus = <const Status extends string>(
  what: string,
  ...statuses: readonly [Status, ...Status[]]
) => ({
  clause: '7',
  question: `Which status does ${what} return?`,
  answers: Object.fromEntries(statuses.map((status) => [status, status])) as { readonly [Id in Status]: Id },
  default: statuses[0],
})
