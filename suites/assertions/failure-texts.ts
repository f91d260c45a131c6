/** The text of a failure: what is wrong, and what was expected and found. `{name}` stands for a member of its data. */
export type FailureText = readonly [message: string, expected?: string, actual?: string]

const status = 'status {actual}: {body}'

/** Every way in which an expectation can fail. A code is permanent, a text can be reworded at any time. */
export const failureTexts = {
  // Responses
  'response.status-not-200': ['The status is {actual}, not 200.', 'status 200', status],
  'response.status-not-201': ['The status is {actual}, not 201.', 'status 201', status],
  'response.status-not-400': ['The status is {actual}, not 400.', 'status 400', status],
  'response.status-not-401': ['The status is {actual}, not 401.', 'status 401', status],
  'response.status-not-404': ['The status is {actual}, not 404.', 'status 404', status],
  'response.status-not-405': ['The status is {actual}, not 405.', 'status 405', status],
  'response.status-not-500': ['The status is {actual}, not 500.', 'status 500', status],
  'response.status-not-allowed': ['The status is {actual}, not {expected}.', 'status {expected}', status],
  'response.not-success': ['The status is {actual}, not 2xx.', 'success (2xx)', status],
  'response.not-client-error': ['The status is {actual}, not 4xx.', 'an error of the client (4xx)', status],
  'response.missing': ['A request was not answered.', 'a response', '{reason}'],
  'response.missing-on-new-connection': [
    'A request on a new connection was not answered.',
    'the list of rules',
    'no response',
  ],
  'response.shared-by-two-requests': ['Two requests got the same response.', 'the status, then the list', '{body}'],
  'response.not-of-its-request': ['The response is not the one to its request.', 'what was requested', '{body}'],
  'response.held-up': ['A client waited for another one.', 'a response at once', '{reason}'],
  'responses.statuses-wrong': ['The statuses of the responses are wrong.'],
  'responses.status-wrong': ['The response to request {which} is missing or has the wrong status.'],
  'responses.successes-wrong': ['The wrong requests succeeded.'],
  'response.shows-key': ['A response contains the key.', 'no key', '{body}'],
  'response.shows-secret': ['The response contains the secret.', 'a response without the secret', '{body}'],
  'response.shows-rules': ['The error response shows rules.', 'no rule', '{body}'],
  'response.shows-accounts': ['The error response shows accounts.', 'no account', '{body}'],
  'response.shows-account': ['The account is shown.', 'no success (2xx), and nothing of the account', status],

  // Requests that must not succeed
  'request.accepted': ['The request was accepted.', 'an error response (4xx or 5xx)', status],
  'request.successful': ['The request succeeded.', 'no success (2xx)', status],
  'request.accepted-while-disabled': [
    'A disabled API answered with success.',
    'an error response, or no response',
    'status {actual}',
  ],

  // Bodies and headers
  'body.not-object': ['The body is not a JSON object.', 'a JSON object', '{body}'],
  'body.not-json': ['The body is not valid JSON.', 'valid JSON', '{body}'],
  'body.neither-json-nor-empty': ['The body is not valid JSON.', 'valid JSON, or no body', '{body}'],
  'body.byte-order-mark': ['The body begins with a byte order mark.', 'JSON without a byte order mark', '{body}'],
  'body.in-response-to-head': ['A response to HEAD has a body.', 'no body'],
  'connection.left-open': [
    'The server did not close the connection.',
    'the end of the connection after the response',
    'an open connection',
  ],
  'body.success-not-boolean': ['`success` is not a boolean.', 'true or false'],
  'body.success-not-true': ['`success` is not `true`.', 'true'],
  'body.data-not-object': ['`data` is not a JSON object.', '{ "data": { ... } }', '{body}'],
  'error.text-missing': ['The body has no error text.', '{ "error": a string }', '{body}'],
  'error.shows-internals': [
    'An error response shows a path of a file or an address in memory.',
    'neither of them',
    '{body}',
  ],
  'error.text-empty': ['The error text is empty.', 'a description'],
  'header.content-type-not-json': ['The Content-Type is not `application/json`.'],
  'header.content-type-hides-json': [
    'The body is a JSON object, and the Content-Type does not say so.',
    'application/json',
  ],
  'header.allow-incomplete': ['`Allow` does not list the documented methods.'],
  'header.allow-missing': ['A response with status 405 has no `Allow` header.', 'Allow: GET, ...'],
  'header.allow-rejected': ['`Allow` lists the method that was rejected with 405.'],

  // The plugin status
  'status.plugin-not-string': ['`plugin` is not a string.', 'a string'],
  'status.version-not-string': ['`version` is not a string.', 'a string'],
  'status.license-active-not-boolean': ['`license_active` is not a boolean.', 'a boolean'],
  'status.rules-loaded-not-a-count': ['`rules_loaded` is not an integer from 0.', 'an integer from 0'],
  'status.api-port-not-a-port': ['`api_port` is not an integer from 1 to 65535.', 'an integer from 1 to 65535'],
  'status.api-port-wrong': ['`api_port` is not the port of the server.'],
  'status.rules-loaded-wrong': ['`rules_loaded` is not the number of listed rules.'],

  // The response to a new rule
  'add.index-not-integer': ['`index` is not an integer.', 'an integer'],
  'add.index-wrong': [
    'The returned `index` is not that of the new rule.',
    '{expected} at index {index}',
    '{actual}; the new rule is at index {listedAt}',
  ],
  'add.index-outside-list': ['The returned `index` is outside the list.', 'an index of a list of {length} rules'],
  'add.logins-wrong': ['The response does not repeat `master` and `follower`.'],

  // One listed rule
  'rule.not-object': ['A listed rule is not a JSON object.', 'a JSON object'],
  'rule.field-missing': ['A listed rule lacks a field.', 'index, master, follower, mode, value and direction'],
  'rule.not-integers': [
    'A listed rule has an index or a login that is not an integer.',
    'integers as index, master and follower',
  ],
  'rule.mode-unlisted': ['A listed rule has an unknown mode.', 'the mode mult or fixed'],
  'rule.value-not-positive': [
    'A listed rule has a value that is not a number greater than 0.',
    'a number greater than 0 as value',
  ],
  'rule.direction-unlisted': ['A listed rule has an unknown direction.', 'the direction same or reverse'],
  'rule.master-changed': ['The listed master is not the one that was sent.'],
  'rule.follower-changed': ['The listed follower is not the one that was sent.'],
  'rule.mode-changed': ['The listed mode is not the one that was sent.'],
  'rule.value-changed': ['The listed value is not the one that was sent.'],
  'rule.direction-changed': ['The listed direction is not the one that was sent.'],
  'rule.missing': ['The rule is not in the list.', '{expected}, once', '0 times among {length} rules'],
  'rule.repeated': ['The rule is listed more than once.', '{expected}, once', '{times} times among {length} rules'],
  'rule.listed-after-delete': ['A removed rule is listed.', 'no rule {expected}'],

  // The list
  'list.rules-not-array': ['`rules` is not an array.', 'an array'],
  'list.total-not-integer': ['`total` is not an integer.', 'an integer'],
  'list.total-wrong': ['`total` is not the number of listed rules.'],
  'list.not-empty': ['The list is not empty.'],
  'list.changed': ['The list has changed.'],
  'list.changed-unrequested': ['The list has changed although no request asked for it.'],
  'list.contents-wrong': ['The listed rules are not the expected ones.'],
  'list.others-changed': ['Other rules have changed.'],
  'list.other-rule-lost-by-add': ['A request that may add a rule removed, replaced or moved another rule.'],
  'list.other-removed': ['The rules that were removed are not exactly the rule at the index.'],
  'list.not-shifted': ['The list is not the one before without the removed rule.'],
  'list.indices-not-consecutive': ['The indices are not consecutive.'],
  'list.length-wrong': ['The number of listed rules is wrong.'],
  'list.not-as-acknowledged': ['The list does not hold exactly the acknowledged rules.'],
  'list.changed-after-restart': ['The list has changed after a restart.'],
  'list.saved-late': ['A restart right after a change loses it: a change is saved only some time after its response.'],
  'list.changed-after-crash': ['The list has changed after a crash.'],
  'list.values-changed-after-restart': ['Values have changed after a restart.'],

  // The rules file and the start of the server
  'rules-file.missing': [
    'The rules file does not exist.',
    'ServiceCopyTrade_rules.dat in the data folder',
    'no such file',
  ],
  'start.rules-wrong': ['The server did not start with the expected rules.'],
  'server.silent-after-start': ['The server was started and does not answer.', 'a response', 'no response'],
  'server.stopped-answering': ['The server stopped answering after {request}.', 'a response', '{reason}'],
  'server.died': ['The server died.', 'a response', '{reason}'],
  'server.not-back-after-crash': [
    'The server did not start again after it was killed during changes.',
    'a server that answers, with the acknowledged rules',
    '{reason}',
  ],
  'server.silent-on-default-port': [
    'The server does not answer on the default port.',
    'a response on port 8443',
    'no response',
  ],

  // The capacity
  'capacity.exceeded': [
    'A rule beyond the capacity of `--capacity` was accepted. Correct that option if the server may hold more rules.',
    'an error response (4xx or 5xx)',
    '{count} rules were acknowledged',
  ],
  'capacity.not-as-stated': ['The full list does not have as many rules as the stated capacity.'],

  // Several requests
  'sequence.list-wrong': ['The list does not match the requests that were sent.'],
  'concurrency.unexplained': [
    'No order of these requests explains their responses.',
    'responses as if each request had been served alone, at one moment between its sending and its response',
  ],
  'durability.unexplained': [
    'The list after the crash does not match the changes before it.',
    'each acknowledged change, in its order, and each change without a response either completely or not at all',
  ],

  // The platform account
  'account.id-malformed': ['`id` is {actual}, not `acct_<digits>`.', 'acct_<digits>'],
  'account.name-not-string': ['`name` is not a string.', 'a string'],
  'account.name-empty': ['`name` is empty.', 'a string that is not empty'],
  'account.status-not-string': ['`status` is not a string.', 'a string'],
  'account.status-empty': ['`status` is empty.', 'a string that is not empty'],
  'account.created-at-malformed': [
    '`created_at` is {actual}, not a date and time in UTC.',
    'ISO 8601 in UTC, for example 2025-01-31T12:00:00Z',
  ],
  'account.created-at-not-in-calendar': ['`created_at` is not in the calendar.', 'an existing day and time'],
  'account.created-at-before-1970': ['`created_at` is before 1970.', 'the time at which the account was created'],
  'account.created-at-in-future': ['`created_at` is in the future.', 'at most {expected}'],
  'account.changed': ['The account has changed.'],

  // Trading accounts
  'trading-account.not-listed': ['The trading account is not in the list.'],
  'trading-account.listed-times-wrong': ['The trading account is not listed exactly once.'],
  'trading-account.created-without-key': [
    'The trading account was created although the key is wrong.',
    'no trading account',
  ],
  'trading-account.created-despite-rejection': [
    'The trading account was created although its creation was rejected.',
    'no trading account',
  ],
  'trading-account.other-changed': ['Another trading account is missing or has changed.'],
  'trading-account.name-changed': ['The listed name is not the one that was sent.'],
  'trading-account.group-changed': ['The listed group is not the one that was sent.'],
  'trading-account.leverage-changed': ['The listed leverage is not the one that was sent.'],
  'trading-account.currency-changed': ['The listed currency is not the one that was sent.'],
  'trading-account.balance-changed': ['The listed balance is not the one that was sent.'],
  'trading-account.not-number': ['The listed `{field}` is not a number.', 'a number, or no such account'],
  'trading-account.count-changed': ['The number of trading accounts has changed.'],
  'request.later-accepted': [
    'An empty object is accepted after a request with hidden fields.',
    'an error response, as before',
    'success',
  ],
} as const satisfies Readonly<Record<string, FailureText>>

/** The id of a way in which an expectation can fail. It is permanent and the same in every run. */
export type FailureCode = keyof typeof failureTexts
