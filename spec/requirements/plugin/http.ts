import type { Requirement } from '../../requirement.ts'

/** What HTTP (RFC 9110, 9112) and JSON (RFC 8259) demand, and what any server should withstand. */
export const httpRequirements = [
  {
    id: 'plugin.http.keep-alive',
    clause: '4.2',
    level: 'expected',
    statement: 'Several requests on one connection are answered each on its own, also after an error.',
    consequence: 'The answer to one request is taken for the answer to another.',
  },
  {
    id: 'plugin.http.chunked-body',
    clause: '4.2',
    level: 'expected',
    statement: 'A body that is sent in chunks is accepted.',
    consequence: 'Clients that stream their bodies cannot add rules.',
  },
  {
    id: 'plugin.http.parallel-reads',
    clause: '4.2',
    level: 'robustness',
    statement: 'Requests that are sent at the same time are each answered rightly.',
    consequence: 'Two operators who look at once see a mixture or nothing.',
  },
  {
    id: 'plugin.robust.deep-json',
    clause: '7',
    level: 'robustness',
    statement: 'JSON nested 10,000 deep adds nothing and harms no later request.',
    consequence: 'One request overflows the stack and takes the trading server down.',
  },
  {
    id: 'plugin.robust.prototype-member',
    clause: '7',
    level: 'robustness',
    statement: 'Members such as __proto__ and constructor cannot stand in for missing fields.',
    consequence: 'A crafted body fills in fields that were never sent, for this and later requests.',
  },
  {
    id: 'plugin.robust.overflowing-number',
    clause: '7',
    level: 'robustness',
    statement: 'A number that no double can hold (1e400) leaves a list that is still valid JSON.',
    consequence: 'The list contains Infinity, and no client can read it any more.',
  },
  {
    id: 'plugin.robust.invalid-utf-8',
    clause: '7',
    level: 'robustness',
    statement: 'Invalid UTF-8 in a body harms no later request, and every answer is valid UTF-8.',
    consequence: 'One damaged text makes the log or the list unreadable.',
  },
  {
    id: 'plugin.robust.large-body',
    clause: '7',
    level: 'robustness',
    statement: 'A body of several MiB that is no rule adds nothing and harms no later request.',
    consequence: 'One request exhausts the memory of the trading server.',
  },
  {
    id: 'plugin.robust.broken-off-body',
    clause: '7',
    level: 'robustness',
    statement: 'A body that ends before its Content-Length adds nothing and harms no later request.',
    consequence: 'A connection that breaks leaves half a rule, or a server that waits for ever.',
  },
  {
    id: 'plugin.robust.long-header',
    clause: '7',
    level: 'robustness',
    statement: 'A header of 64 KiB harms no later request.',
    consequence: 'A buffer overflows in the process that moves real money.',
  },
  {
    id: 'plugin.robust.no-http',
    clause: '7',
    level: 'robustness',
    statement: 'Bytes that are no HTTP harm no later request.',
    consequence: 'A port scan takes the trading server down.',
  },
  {
    id: 'plugin.robust.long-path',
    clause: '7',
    level: 'robustness',
    statement: 'A path of 8,000 characters is refused and harms no later request.',
    consequence: 'A buffer overflows in the process that moves real money.',
  },
] as const satisfies readonly Requirement[]
