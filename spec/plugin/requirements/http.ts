import type { Requirement } from '../../requirement.ts'

/** Requirements of HTTP (RFC 9110, 9112) and JSON (RFC 8259), and attacks that any server should withstand. */
export const httpRequirements = [
  {
    id: 'plugin.http.ordinary-requests',
    clause: '4.2',
    level: 'required',
    statement: 'Ordinary requests get the documented responses, whatever was sent before and however long the list is.',
    consequence: 'A client works with a short list and fails with a long one.',
  },
  {
    id: 'plugin.http.keep-alive',
    clause: '4.2',
    level: 'expected',
    statement:
      'Each of several requests on one connection gets its own response in order, pipelined and after an error as well, and no body is taken for a request.',
    consequence: 'The response to one request is taken for the response to another.',
  },
  {
    id: 'plugin.http.any-framing',
    clause: '4.2',
    level: 'expected',
    statement:
      'A request is accepted with a chunked body, with twenty further headers, with any white space in front of the values of its headers, and in pieces that are split at any byte.',
    consequence: 'Clients that stream their bodies cannot add rules, and others fail at random on a slow connection.',
  },
  {
    id: 'plugin.http.response-end',
    clause: '4.2',
    level: 'expected',
    statement:
      'The response to HEAD has no body, and a connection is closed after the response to a request with Connection: close.',
    consequence:
      'A client takes a body for the next response, or waits for the end of a response until its time is up.',
  },
  {
    id: 'plugin.robust.overlapping-requests',
    clause: '4.2',
    level: 'robustness',
    statement: 'Overlapping requests get the same responses as if each had been served alone, in some order.',
    consequence:
      'When two operators work at the same time, one loses a rule, removes the wrong one or sees a removed one.',
  },
  {
    id: 'plugin.robust.survives',
    clause: '7',
    level: 'robustness',
    statement: 'A malformed, oversized, incomplete or stalled request adds nothing and does not affect other requests.',
    consequence: 'One broken client, a scanner or a misconfigured proxy takes the trading server down.',
  },
  {
    id: 'plugin.robust.answers',
    clause: '7',
    level: 'robustness',
    statement:
      'Any request gets a response, or its connection is closed, within the time limit, whatever its body or key, and no other client waits for it.',
    consequence: 'One client with a wrong key or body waits forever, or makes every other one wait.',
  },
  {
    id: 'plugin.robust.prototype-member',
    clause: '7',
    level: 'robustness',
    statement: 'Members such as __proto__ and constructor cannot supply missing fields.',
    consequence: 'A crafted body fills in fields that were never sent, in this and later requests.',
  },
] as const satisfies readonly Requirement[]
