import type { Requirement } from '../../requirement.ts'

/** What HTTP (RFC 9112) says of requests that come in pieces or together, and what a server should withstand of others. */
export const malformedHttpRequirements = [
  {
    id: 'plugin.http.torn-request',
    clause: '4.2',
    level: 'expected',
    statement: 'A request that arrives in pieces, wherever it is torn, is answered like one that arrives whole.',
    consequence: 'On a slow line requests fail at random.',
  },
  {
    id: 'plugin.http.pipelined',
    clause: '4.2',
    level: 'expected',
    statement: 'Requests that arrive together on one connection are answered each on its own, in their order.',
    consequence: 'A client that does not wait takes one answer for another, or waits for ever.',
  },
  {
    id: 'plugin.robust.content-length',
    clause: '7',
    level: 'robustness',
    statement: 'A Content-Length that is wrong, doubled, negative or huge adds nothing and harms no later request.',
    consequence: 'A number that overflows takes the trading server down.',
  },
  {
    id: 'plugin.robust.chunks',
    clause: '7',
    level: 'robustness',
    statement: 'A body in chunks that are malformed adds nothing and harms no later request.',
    consequence: 'A size that overflows writes past a buffer in the process that moves real money.',
  },
  {
    id: 'plugin.robust.header-lines',
    clause: '7',
    level: 'robustness',
    statement: 'Header lines that are too many or malformed harm no later request.',
    consequence: 'A proxy that is set up wrongly takes the trading server down.',
  },
  {
    id: 'plugin.robust.request-line',
    clause: '7',
    level: 'robustness',
    statement: 'Request lines that are malformed or of other versions of HTTP harm no later request.',
    consequence: 'A browser or a scanner that tries another version takes the trading server down.',
  },
  {
    id: 'plugin.robust.stalled-request',
    clause: '7',
    level: 'robustness',
    statement: 'While some clients stall in the middle of their requests, others are answered.',
    consequence: 'A hung client, or one with bad intentions, locks all operators out.',
  },
] as const satisfies readonly Requirement[]
