import type { Requirement } from '../../requirement.ts'

export const addRequirements = [
  {
    id: 'plugin.add.created',
    clause: '4.2',
    level: 'required',
    statement:
      'A valid POST returns 201 with a boolean success, an integer index, and the master and follower that were sent.',
    consequence: 'A client reports a failure for a rule that is already trading, and may add it again.',
  },
  {
    id: 'plugin.success-is-true',
    clause: '4.2',
    level: 'expected',
    statement: 'The response to a valid POST, and to a DELETE of an existing rule, contains success: true.',
    consequence: 'A client reports a failure and repeats the change.',
  },
  {
    id: 'plugin.add.index-of-new-rule',
    clause: '4.2 rule 1',
    level: 'required',
    statement: 'A list that is read right after a POST has the new rule at the index that the POST returned.',
    consequence: 'A client that deletes by the returned index removes another rule.',
  },
  {
    id: 'plugin.add.leaves-others',
    clause: '4.2',
    level: 'required',
    statement: 'A POST adds exactly one rule and leaves all other rules and their order unchanged.',
    consequence: 'Adding one follower changes the trades of another.',
  },
  {
    id: 'plugin.add.documented-words',
    clause: '4.2',
    level: 'required',
    statement:
      'Rules with mode mult, multiplier (an alias of mult) and fixed are accepted, and rules with direction same and reverse.',
    consequence: 'Rules of one kind cannot be added.',
  },
  {
    id: 'plugin.add.any-json-spelling',
    clause: '4.2',
    level: 'expected',
    statement:
      'A valid body is accepted in any form that JSON allows (field order, whitespace, escapes, number notation), also with a parameter such as charset=utf-8 in its Content-Type.',
    consequence: 'Clients with another JSON library are rejected, or their numbers are misread.',
  },
  {
    id: 'plugin.add.requires-every-field',
    clause: '4.2',
    level: 'required',
    statement: 'A POST without master, follower, mode, value or direction is rejected with 400 and adds nothing.',
    consequence: 'The server invents an account, a size or a direction for real trades.',
  },
  {
    id: 'plugin.add.wrong-type',
    clause: '4.2',
    level: 'required',
    statement: 'A POST that is not a JSON object, or has a field of the wrong JSON type, is rejected and adds nothing.',
    consequence: 'A string becomes login 0, or the server falls back to a mode that the client did not choose.',
  },
  {
    id: 'plugin.add.value-not-positive',
    clause: '2.3',
    level: 'required',
    statement: 'A POST with a value that is not greater than 0 is rejected and adds nothing.',
    consequence: 'A rule is listed as active but never copies a trade, or trades the wrong way.',
  },
  {
    id: 'plugin.add.unlisted-word',
    clause: '4.2',
    level: 'required',
    statement: 'A POST with an undocumented mode or direction is rejected and adds nothing.',
    consequence: 'A misspelled word is traded with an unintended meaning.',
  },
  {
    id: 'plugin.add.bad-request-is-400',
    clause: '7',
    level: 'expected',
    statement:
      'A POST that is not an object, or has a field of the wrong type or with a value that is not allowed, is rejected with 400.',
    consequence: 'A client retries a request that can never succeed.',
  },
  {
    id: 'plugin.add.invalid-json',
    clause: '7',
    level: 'required',
    statement: 'A POST with a body that is empty or not valid JSON is rejected with 400 and adds nothing.',
    consequence: 'A damaged request is partly understood and becomes a rule.',
  },
] as const satisfies readonly Requirement[]
