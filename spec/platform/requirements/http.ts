import type { Requirement } from '../../requirement.ts'

/** Requirements of HTTP (RFC 9110, 9112) and JSON (RFC 8259), and attacks that any server should withstand. */
export const platformHttpRequirements = [
  {
    id: 'platform.http.keep-alive',
    clause: '4.1',
    level: 'expected',
    statement:
      'Each of several requests on one connection gets its own response, even after an error, and no body is taken for a request.',
    consequence: 'The response to one request is taken for the response to another.',
  },
  {
    id: 'platform.http.chunked-body',
    clause: '4.1',
    level: 'expected',
    statement: 'A chunked request body is accepted.',
    consequence: 'Clients that stream their bodies cannot create accounts.',
  },
  {
    id: 'platform.http.split-request',
    clause: '4.1',
    level: 'expected',
    statement: 'A request is accepted in pieces, each in a packet of its own.',
    consequence: 'Clients fail at random on a slow connection.',
  },
  {
    id: 'platform.http.response-end',
    clause: '4.1',
    level: 'expected',
    statement:
      'The response to HEAD has no body, and a connection is closed after the response to a request with Connection: close.',
    consequence:
      'A client takes a body for the next response, or waits for the end of a response until its time is up.',
  },
  {
    id: 'platform.http.parallel-reads',
    clause: '4.1',
    level: 'robustness',
    statement: 'Simultaneous requests each get the correct response.',
    consequence: 'Two people who read at the same time get mixed data or nothing.',
  },
  {
    id: 'platform.robust.parallel-creations',
    clause: '4.1',
    level: 'robustness',
    statement: 'Accounts that are created simultaneously are all stored, each exactly once.',
    consequence: 'When two clients register at the same time, one loses a confirmed account.',
  },
  {
    id: 'platform.robust.survives',
    clause: '4.1',
    level: 'robustness',
    statement: 'A malformed or oversized request adds nothing and does not affect later requests.',
    consequence: 'One broken client takes the API down for everyone.',
  },
  {
    id: 'platform.robust.answers',
    clause: '4.1',
    level: 'robustness',
    statement:
      'Any request gets a response, or its connection is closed, within the time limit, and no other client waits for it.',
    consequence: 'One slow or unusual client makes every other one wait.',
  },
  {
    id: 'platform.robust.prototype-member',
    clause: '4.1',
    level: 'robustness',
    statement: 'Members such as __proto__ and constructor cannot supply fields and do not affect later requests.',
    consequence: 'A crafted body fills in fields in this and later requests.',
  },
  {
    id: 'platform.robust.overflowing-number',
    clause: '4.1',
    level: 'robustness',
    statement: 'The list is still valid JSON after a balance that is too large for a double (1e400).',
    consequence: 'The list contains Infinity, and no client can parse it.',
  },
] as const satisfies readonly Requirement[]
