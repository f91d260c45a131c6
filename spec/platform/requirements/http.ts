import { expected, requirements, robustness } from '../../clause.ts'

/** Requirements of HTTP (RFC 9110, 9112) and JSON (RFC 8259), and attacks that any server should withstand. */
export const platformHttpRequirements = requirements('4.1', {
  'platform.http.keep-alive': expected(
    'Each of several requests on one connection gets its own response, even after an error, and no body is taken for a request.',
    'The response to one request is taken for the response to another.',
  ),
  'platform.http.chunked-body': expected(
    'A chunked request body is accepted.',
    'Clients that stream their bodies cannot create accounts.',
  ),
  'platform.http.any-head': expected(
    'A request is accepted with any case of its header names, any order of its headers, any white space around their values, and the usual headers of a browser.',
    'Clients fail if their HTTP library writes requests in another way.',
  ),
  'platform.http.split-request': expected(
    'A request is accepted in pieces, each in a packet of its own.',
    'Clients fail at random on a slow connection.',
  ),
  'platform.http.response-end': expected(
    'The response to HEAD has no body, and a connection is closed after the response to a request with Connection: close or HTTP/1.0.',
    'A client takes a body for the next response, or waits for the end of a response until its time is up.',
  ),
  'platform.http.parallel-reads': robustness(
    'Simultaneous requests each get the correct response.',
    'Two people who read at the same time get mixed data or nothing.',
  ),
  'platform.robust.parallel-creations': robustness(
    'Accounts that are created simultaneously are all stored, each exactly once.',
    'When two clients register at the same time, one loses a confirmed account.',
  ),
  'platform.robust.survives': robustness(
    'A malformed or oversized request gets a response or a closed connection, adds nothing, and does not affect later requests.',
    'One broken client takes the API down for everyone.',
  ),
  'platform.robust.answers': robustness(
    'Any request gets a response, or its connection is closed, within the time limit, and no other client waits for it.',
    'One slow or unusual client makes every other one wait.',
  ),
  'platform.robust.prototype-member': robustness(
    'Members such as __proto__ and constructor cannot supply fields and do not affect later requests.',
    'A crafted body fills in fields in this and later requests.',
  ),
  'platform.robust.overflowing-number': robustness(
    'The list is still valid JSON after a balance that is too large for a double (1e400).',
    'The list contains Infinity, and no client can parse it.',
  ),
})
