import { expected, required, requirements, robustness } from '../../clause.ts'

/** Requirements of HTTP (RFC 9110, 9112) and JSON (RFC 8259), and attacks that any server should withstand. */
export const httpRequirements = requirements('4.2', {
  'plugin.http.ordinary-requests': required(
    'Ordinary requests get the documented responses, whatever was sent before and however long the list is.',
    'A client works until the list is long, or until another request was unusual.',
  ),
  'plugin.http.keep-alive': expected(
    'Each of several requests on one connection gets its own response in order, pipelined and after an error as well, and no body is taken for a request.',
    'The response to one request is taken for the response to another.',
  ),
  'plugin.http.pipelined-change': expected(
    'The response to a GET that is pipelined after a POST includes what the POST added.',
    'A client that does not wait for each response misses the rules that it has just added.',
  ),
  'plugin.http.any-framing': expected(
    'A request is accepted in every form that HTTP allows: with a chunked body or an absolute target, with an offer to upgrade or Content-Length: 0, with header names in any case and order, with twenty further headers, with white space around the values of headers and letters outside of ASCII in them, and in pieces that are split at any byte.',
    'Clients whose HTTP library writes requests in another form get errors, some only on a slow connection.',
  ),
  'plugin.http.response-end': expected(
    'The response to HEAD has no body, and a connection is closed after the response to a request with Connection: close.',
    'A client takes a body for the next response, or waits for the end of a response until its time is up.',
  ),
  'plugin.robust.overlapping-requests': robustness(
    'Overlapping requests get the same responses as if each had been served alone, in some order.',
    'When two operators work at the same time, one loses a rule, removes the wrong one or sees a removed one.',
  ),
  'plugin.robust.survives': robustness(
    'A malformed, oversized, incomplete or stalled request adds nothing and does not affect other requests.',
    'One broken client, a scanner or a misconfigured proxy takes the trading server down.',
    '7',
  ),
  'plugin.robust.answers': robustness(
    'Any request gets a response, or its connection is closed, within the time limit, whatever its body or key, and no other client waits for it.',
    'One client with a wrong key or body waits forever, or makes every other one wait.',
    '7',
  ),
  'plugin.robust.prototype-member': robustness(
    'Members such as __proto__ and constructor cannot supply missing fields.',
    'A crafted body fills in fields that were never sent, in this and later requests.',
    '7',
  ),
})
