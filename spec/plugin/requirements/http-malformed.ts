import type { Requirement } from '../../requirement.ts'

/** Split, pipelined and malformed requests (RFC 9112). */
export const malformedHttpRequirements = [
  {
    id: 'plugin.http.torn-request',
    clause: '4.2',
    level: 'expected',
    statement: 'A request that arrives in pieces, split at any byte, gets the same response as one that arrives whole.',
    consequence: 'Requests fail at random on a slow connection.',
  },
  {
    id: 'plugin.http.pipelined',
    clause: '4.2',
    level: 'expected',
    statement: 'Each pipelined request on a connection gets its own response, in order.',
    consequence: 'A client that does not wait mixes up responses, or waits forever.',
  },
  {
    id: 'plugin.robust.content-length',
    clause: '7',
    level: 'robustness',
    statement: 'A wrong, duplicate, negative or huge Content-Length adds nothing and does not affect later requests.',
    consequence: 'An overflowing number takes the trading server down.',
  },
  {
    id: 'plugin.robust.chunks',
    clause: '7',
    level: 'robustness',
    statement: 'A body with malformed chunks adds nothing and does not affect later requests.',
    consequence: 'An overflowing chunk size writes past a buffer in the process that moves real money.',
  },
  {
    id: 'plugin.robust.header-lines',
    clause: '7',
    level: 'robustness',
    statement: 'Too many or malformed header lines do not affect later requests.',
    consequence: 'A misconfigured proxy takes the trading server down.',
  },
  {
    id: 'plugin.robust.request-line',
    clause: '7',
    level: 'robustness',
    statement: 'Request lines that are malformed or of another HTTP version do not affect later requests.',
    consequence: 'A browser or a scanner that tries another version takes the trading server down.',
  },
  {
    id: 'plugin.robust.stalled-request',
    clause: '7',
    level: 'robustness',
    statement: 'While some clients stall in the middle of a request, other clients still get responses.',
    consequence: 'A hung or malicious client locks all operators out.',
  },
] as const satisfies readonly Requirement[]
