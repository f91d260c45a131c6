/** The text of a failure. `{name}` stands for a member of its data. */
export interface FailureText {
  /** What is wrong, as a sentence. */
  readonly message: string
  /** What was expected. Default: `{expected}`. */
  readonly expected?: string
  /** The actual value. Default: `{actual}`. */
  readonly actual?: string
}

const status = 'status {actual}: {body}'

/**
 * Every way in which an expectation can fail: its code, and the text for people. A code is permanent, since reports and
 * baselines contain it. A text can be reworded at any time.
 */
export const failureTexts = {
  // Responses
  'response.status-not-200': { message: 'The status is {actual}, not 200.', expected: 'status 200', actual: status },
  'response.status-not-201': { message: 'The status is {actual}, not 201.', expected: 'status 201', actual: status },
  'response.status-not-400': { message: 'The status is {actual}, not 400.', expected: 'status 400', actual: status },
  'response.status-not-401': { message: 'The status is {actual}, not 401.', expected: 'status 401', actual: status },
  'response.status-not-404': { message: 'The status is {actual}, not 404.', expected: 'status 404', actual: status },
  'response.status-not-405': { message: 'The status is {actual}, not 405.', expected: 'status 405', actual: status },
  'response.status-not-500': { message: 'The status is {actual}, not 500.', expected: 'status 500', actual: status },
  'response.status-not-allowed': {
    message: 'The status is {actual}, not {expected}.',
    expected: 'status {expected}',
    actual: status,
  },
  'response.not-success': { message: 'The status is {actual}, not 2xx.', expected: 'success (2xx)', actual: status },
  'response.not-client-error': {
    message: 'The status is {actual}, not 4xx.',
    expected: 'an error of the client (4xx)',
    actual: status,
  },
  'response.missing': { message: 'A request was not answered.', expected: 'a response', actual: '{reason}' },
  'response.missing-on-new-connection': {
    message: 'A request on a new connection was not answered.',
    expected: 'the list of rules',
    actual: 'no response',
  },
  'response.shared-by-two-requests': {
    message: 'Two requests got the same response.',
    expected: 'the status, then the list',
    actual: '{body}',
  },
  'response.not-of-its-request': {
    message: 'The response is not the one to its request.',
    expected: 'what was requested',
    actual: '{body}',
  },
  'response.held-up': {
    message: 'A client waited for another one.',
    expected: 'a response at once',
    actual: '{reason}',
  },
  'responses.statuses-wrong': { message: 'The statuses of the responses are wrong.' },
  'responses.successes-wrong': { message: 'The wrong requests succeeded.' },
  'response.shows-key': { message: 'A response contains the key.', expected: 'no key', actual: '{body}' },
  'response.shows-secret': {
    message: 'The response contains the secret.',
    expected: 'a response without the secret',
    actual: '{body}',
  },
  'response.shows-rules': { message: 'The error response shows rules.', expected: 'no rule', actual: '{body}' },
  'response.shows-accounts': {
    message: 'The error response shows accounts.',
    expected: 'no account',
    actual: '{body}',
  },
  'response.shows-account': {
    message: 'The account is shown.',
    expected: 'no success (2xx), and nothing of the account',
    actual: status,
  },

  // Requests that must not succeed
  'request.accepted': {
    message: 'The request was accepted.',
    expected: 'an error response (4xx or 5xx)',
    actual: status,
  },
  'request.successful': { message: 'The request succeeded.', expected: 'no success (2xx)', actual: status },
  'request.accepted-while-disabled': {
    message: 'A disabled API answered with success.',
    expected: 'an error response, or no response',
    actual: 'status {actual}',
  },

  // Bodies and headers
  'body.not-object': { message: 'The body is not a JSON object.', expected: 'a JSON object', actual: '{body}' },
  'body.not-json': { message: 'The body is not valid JSON.', expected: 'valid JSON', actual: '{body}' },
  'body.neither-json-nor-empty': {
    message: 'The body is not valid JSON.',
    expected: 'valid JSON, or no body',
    actual: '{body}',
  },
  'body.byte-order-mark': {
    message: 'The body begins with a byte order mark.',
    expected: 'JSON without a byte order mark',
    actual: '{body}',
  },
  'body.in-response-to-head': { message: 'A response to HEAD has a body.', expected: 'no body' },
  'connection.left-open': {
    message: 'The server did not close the connection.',
    expected: 'the end of the connection after the response',
    actual: 'an open connection',
  },
  'body.success-not-boolean': { message: '`success` is not a boolean.', expected: 'true or false' },
  'body.success-not-true': { message: '`success` is not `true`.', expected: 'true' },
  'body.data-not-object': {
    message: '`data` is not a JSON object.',
    expected: '{ "data": { ... } }',
    actual: '{body}',
  },
  'error.text-missing': {
    message: 'The body has no error text.',
    expected: '{ "error": a string }',
    actual: '{body}',
  },
  'error.shows-internals': {
    message: 'An error response shows a path of a file or an address in memory.',
    expected: 'neither of them',
    actual: '{body}',
  },
  'error.text-empty': { message: 'The error text is empty.', expected: 'a description' },
  'header.content-type-not-json': { message: 'The Content-Type is not `application/json`.' },
  'header.content-type-hides-json': {
    message: 'The body is a JSON object, and the Content-Type does not say so.',
    expected: 'application/json',
  },
  'header.allow-incomplete': { message: '`Allow` does not list the documented methods.' },
  'header.allow-missing': { message: 'A response with status 405 has no `Allow` header.', expected: 'Allow: GET, ...' },

  // The plugin status
  'status.plugin-not-string': { message: '`plugin` is not a string.', expected: 'a string' },
  'status.version-not-string': { message: '`version` is not a string.', expected: 'a string' },
  'status.license-active-not-boolean': { message: '`license_active` is not a boolean.', expected: 'a boolean' },
  'status.rules-loaded-not-a-count': {
    message: '`rules_loaded` is not an integer from 0.',
    expected: 'an integer from 0',
  },
  'status.api-port-not-a-port': {
    message: '`api_port` is not an integer from 1 to 65535.',
    expected: 'an integer from 1 to 65535',
  },
  'status.api-port-wrong': { message: '`api_port` is not the port of the server.' },
  'status.rules-loaded-wrong': { message: '`rules_loaded` is not the number of listed rules.' },

  // The response to a new rule
  'add.index-not-integer': { message: '`index` is not an integer.', expected: 'an integer' },
  'add.index-wrong': {
    message: 'The returned `index` is not that of the new rule.',
    expected: '{expected} at index {index}',
    actual: '{actual}; the new rule is at index {listedAt}',
  },
  'add.index-outside-list': {
    message: 'The returned `index` is outside the list.',
    expected: 'an index of a list of {length} rules',
  },
  'add.logins-wrong': { message: 'The response does not repeat `master` and `follower`.' },

  // One listed rule
  'rule.not-object': { message: 'A listed rule is not a JSON object.', expected: 'a JSON object' },
  'rule.field-missing': {
    message: 'A listed rule lacks a field.',
    expected: 'index, master, follower, mode, value and direction',
  },
  'rule.not-integers': {
    message: 'A listed rule has an index or a login that is not an integer.',
    expected: 'integers as index, master and follower',
  },
  'rule.mode-unlisted': { message: 'A listed rule has an unknown mode.', expected: 'the mode mult or fixed' },
  'rule.value-not-positive': {
    message: 'A listed rule has a value that is not a number greater than 0.',
    expected: 'a number greater than 0 as value',
  },
  'rule.direction-unlisted': {
    message: 'A listed rule has an unknown direction.',
    expected: 'the direction same or reverse',
  },
  'rule.master-changed': { message: 'The listed master is not the one that was sent.' },
  'rule.follower-changed': { message: 'The listed follower is not the one that was sent.' },
  'rule.mode-changed': { message: 'The listed mode is not the one that was sent.' },
  'rule.value-changed': { message: 'The listed value is not the one that was sent.' },
  'rule.direction-changed': { message: 'The listed direction is not the one that was sent.' },
  'rule.missing': {
    message: 'The rule is not in the list.',
    expected: '{expected}, once',
    actual: '0 times among {length} rules',
  },
  'rule.repeated': {
    message: 'The rule is listed more than once.',
    expected: '{expected}, once',
    actual: '{times} times among {length} rules',
  },
  'rule.listed-after-delete': { message: 'A removed rule is listed.', expected: 'no rule {expected}' },

  // The list
  'list.rules-not-array': { message: '`rules` is not an array.', expected: 'an array' },
  'list.total-not-integer': { message: '`total` is not an integer.', expected: 'an integer' },
  'list.total-wrong': { message: '`total` is not the number of listed rules.' },
  'list.not-empty': { message: 'The list is not empty.' },
  'list.changed': { message: 'The list has changed.' },
  'list.changed-unrequested': { message: 'The list has changed although no request asked for it.' },
  'list.contents-wrong': { message: 'The listed rules are not the expected ones.' },
  'list.others-changed': { message: 'Other rules have changed.' },
  'list.other-rule-lost-by-add': {
    message: 'A request that may add a rule removed, replaced or moved another rule.',
  },
  'list.other-removed': { message: 'The rules that were removed are not exactly the rule at the index.' },
  'list.not-shifted': { message: 'The list is not the one before without the removed rule.' },
  'list.indices-not-consecutive': { message: 'The indices are not consecutive.' },
  'list.length-wrong': { message: 'The number of listed rules is wrong.' },
  'list.not-as-acknowledged': { message: 'The list does not hold exactly the acknowledged rules.' },
  'list.changed-after-restart': { message: 'The list has changed after a restart.' },
  'list.changed-after-crash': { message: 'The list has changed after a crash.' },
  'list.values-changed-after-restart': { message: 'Values have changed after a restart.' },

  // The rules file and the start of the server
  'rules-file.missing': {
    message: 'The rules file does not exist.',
    expected: 'ServiceCopyTrade_rules.dat in the data folder',
    actual: 'no such file',
  },
  'start.rules-wrong': { message: 'The server did not start with the expected rules.' },
  'server.silent-after-start': {
    message: 'The server was started and does not answer.',
    expected: 'a response',
    actual: 'no response',
  },
  'server.stopped-answering': {
    message: 'The server stopped answering after {request}.',
    expected: 'a response',
    actual: '{reason}',
  },
  'server.died': { message: 'The server died.', expected: 'a response', actual: '{reason}' },
  'server.not-back-after-crash': {
    message: 'The server did not start again after it was killed during changes.',
    expected: 'a server that answers, with the acknowledged rules',
    actual: '{reason}',
  },
  'server.silent-on-default-port': {
    message: 'The server does not answer on the default port.',
    expected: 'a response on port 8443',
    actual: 'no response',
  },

  // The capacity
  'capacity.exceeded': {
    message: 'A rule beyond the capacity was accepted.',
    expected: 'an error response (4xx or 5xx)',
    actual: '{count} rules were acknowledged',
  },
  'capacity.rule-accepted': {
    message: 'A rule was accepted although the list is full.',
    expected: 'an error response (4xx or 5xx)',
    actual: status,
  },
  'capacity.not-as-stated': { message: 'The full list does not have as many rules as the stated capacity.' },

  // Several requests
  'sequence.list-wrong': { message: 'The list does not match the requests that were sent.' },
  'concurrency.unexplained': {
    message: 'No order of these requests explains their responses.',
    expected: 'responses as if each request had been served alone, at one moment between its sending and its response',
  },
  'durability.unexplained': {
    message: 'The list after the crash does not match the changes before it.',
    expected:
      'each acknowledged change, in its order, and each change without a response either completely or not at all',
  },

  // The platform account
  'account.id-malformed': { message: '`id` does not have the form `acct_<digits>`.', expected: 'acct_<digits>' },
  'account.name-not-string': { message: '`name` is not a string.', expected: 'a string' },
  'account.name-empty': { message: '`name` is empty.', expected: 'a string that is not empty' },
  'account.status-not-string': { message: '`status` is not a string.', expected: 'a string' },
  'account.status-empty': { message: '`status` is empty.', expected: 'a string that is not empty' },
  'account.created-at-malformed': {
    message: '`created_at` is not a date and time in UTC.',
    expected: 'ISO 8601 in UTC, for example 2025-01-31T12:00:00Z',
  },
  'account.created-at-not-in-calendar': {
    message: '`created_at` is not in the calendar.',
    expected: 'an existing day and time',
  },
  'account.created-at-in-future': { message: '`created_at` is in the future.', expected: 'at most {expected}' },
  'account.changed': { message: 'The account has changed.' },

  // Trading accounts
  'trading-account.not-listed': { message: 'The trading account is not in the list.' },
  'trading-account.listed-times-wrong': { message: 'The trading account is not listed exactly once.' },
  'trading-account.created-without-key': {
    message: 'The trading account was created although the key is wrong.',
    expected: 'no trading account',
  },
  'trading-account.created-despite-rejection': {
    message: 'The trading account was created although its creation was rejected.',
    expected: 'no trading account',
  },
  'trading-account.other-changed': { message: 'Another trading account is missing or has changed.' },
  'trading-account.name-changed': { message: 'The listed name is not the one that was sent.' },
  'trading-account.group-changed': { message: 'The listed group is not the one that was sent.' },
  'trading-account.leverage-changed': { message: 'The listed leverage is not the one that was sent.' },
  'trading-account.currency-changed': { message: 'The listed currency is not the one that was sent.' },
  'trading-account.balance-changed': { message: 'The listed balance is not the one that was sent.' },
  'trading-account.not-number': {
    message: 'The listed `{field}` is not a number.',
    expected: 'a number, or no such account',
  },
  'trading-account.count-changed': { message: 'The number of trading accounts has changed.' },
  'request.later-accepted': {
    message: 'An empty object is accepted after a request with hidden fields.',
    expected: 'an error response, as before',
    actual: 'success',
  },
} as const satisfies Readonly<Record<string, FailureText>>

/** The id of a way in which an expectation can fail. It is permanent and the same in every run. */
export type FailureCode = keyof typeof failureTexts
