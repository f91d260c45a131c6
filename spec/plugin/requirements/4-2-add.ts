import { expected, required, requirements } from '../../clause.ts'

export const addRequirements = requirements('4.2', {
  'plugin.add.created': required(
    'A valid POST returns 201 with a boolean success, an integer index, and the master and follower that were sent.',
    'A client reports a failure for a rule that is already trading, and may add it again.',
  ),
  'plugin.success-is-true': expected(
    'The response to a valid POST, and to a DELETE of an existing rule, contains success: true.',
    'A client reports a failure and repeats the change.',
  ),
  'plugin.add.index-of-new-rule': required(
    'A list that is read right after a POST has the new rule at the index that the POST returned.',
    'A client that deletes by the returned index removes another rule.',
    '4.2 rule 1',
  ),
  'plugin.add.leaves-others': required(
    'A POST adds exactly one rule and leaves all other rules and their order unchanged.',
    'Adding one follower changes the trades of another.',
  ),
  'plugin.add.documented-words': required(
    'Rules with mode mult, multiplier (an alias of mult) and fixed are accepted, and rules with direction same and reverse.',
    'Rules of one kind cannot be added.',
  ),
  'plugin.add.any-json-spelling': expected(
    'A valid body is accepted in any form that JSON allows (field order, whitespace, escapes, number notation), also with a parameter such as charset=utf-8 or capital letters in its Content-Type.',
    'Clients with another JSON library are rejected, or their numbers are misread.',
  ),
  'plugin.add.requires-every-field': required(
    'A POST without master, follower, mode, value or direction is rejected with 400 and adds nothing.',
    'The server invents an account, a size or a direction for real trades.',
  ),
  'plugin.add.wrong-type': required(
    'A POST that is not a JSON object, or has a field of the wrong JSON type, is rejected and adds nothing.',
    'A string becomes login 0, or the server falls back to a mode that the client did not choose.',
  ),
  'plugin.add.value-not-positive': required(
    'A POST with a value that is not greater than 0 is rejected and adds nothing.',
    'A rule is listed as active but never copies a trade, or trades the wrong way.',
    '2.3',
  ),
  'plugin.add.unlisted-word': required(
    'A POST with an undocumented mode or direction is rejected and adds nothing.',
    'A misspelled word is traded with an unintended meaning.',
  ),
  'plugin.add.bad-request-is-400': expected(
    'A POST that is not an object, or has a field of the wrong type or with a value that is not allowed, is rejected with 400.',
    'A client retries a request that can never succeed.',
    '7',
  ),
  'plugin.add.invalid-json': required(
    'A POST with a body that is empty or not valid JSON is rejected with 400 and adds nothing.',
    'A damaged request is partly understood and becomes a rule.',
    '7',
  ),
})
