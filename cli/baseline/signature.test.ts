import { describe, expect, test } from 'vitest'
import { drawnSignature, type Failure, signatureOf } from './signature.ts'

const failure = (changes: Partial<Failure>): Failure => ({
  id: 'CT-1',
  message: 'the answer is not as expected',
  expected: 'this',
  actual: 'that',
  ...changes,
})
const pairs = (...followers: number[]) => JSON.stringify(followers.map((follower) => `900000000>${follower}`))
const rules = (...lines: string[]) => [`${lines.length} rules`, ...lines.map((line, i) => `[${i}] ${line}`)].join('\n')

test('what was drawn by lot has one signature, whichever fault it met', () => {
  const drawn = (message: string) => signatureOf(failure({ message: `${message} (drawn with --seed 5)` }))
  expect(drawn('the list is not what these requests leave')).toBe(drawn('the request was accepted'))
  expect(drawn('the request was accepted')).toBe(drawnSignature('CT-1'))
  expect(drawnSignature('CT-1')).not.toBe(drawnSignature('CT-2'))
})

describe('the signature is the same', () => {
  test.for<[string, Partial<Failure>, Partial<Failure>]>([
    [
      'whatever port and uptime a body tells',
      { actual: 'status 200: {"api_port": 35891, "uptime_s": 0.25, "version": "0.3.1"}' },
      { actual: 'status 200: {"api_port":41,"uptime_s":12,"version":"0.3.12"}' },
    ],
    [
      'whatever rule was drawn',
      { actual: '{"index":3,"master":900000000,"follower":900000083,"mode":"mult","value":0.25,"direction":"same"}' },
      { actual: '{"index":7,"master":900000001,"follower":900000002,"mode":"fixed","value":3,"direction":"reverse"}' },
    ],
    [
      'however long the list is in which a rule is missing',
      { expected: '900000000>900000098 mult 3 same, once', actual: '0 times among 4 rules' },
      { expected: '900000000>900000104 fixed 0.01 reverse, once', actual: '0 times among 12 rules' },
    ],
    [
      'however many rules are in the wrong order',
      { expected: pairs(900000001, 900000002), actual: pairs(900000002, 900000001) },
      { expected: pairs(900000007, 900000008, 900000009), actual: pairs(900000009, 900000007, 900000008) },
    ],
    [
      'wherever an index points to',
      { message: 'the index of the new rule is not as expected', expected: '5', actual: '2' },
      { message: 'the index of the new rule is not as expected', expected: '9', actual: '2' },
    ],
    [
      'wherever a long body is cut',
      { actual: `{"rules":[${'{"index":1,"master":1001},'.repeat(20)}`.slice(0, 300) },
      { actual: `{"rules":[${'{"index":10,"master":900000000},'.repeat(20)}`.slice(0, 300) },
    ],
    [
      'whatever request id and time an error names',
      { actual: '{"error":"failed","id":"4f1c2a9be07d","at":"2026-03-04T09:15:00Z"}' },
      { actual: '{"error":"failed","id":"00aa7be21f3c","at":"2027-11-14T19:05:59Z"}' },
    ],
    [
      'which of several tries came to nothing',
      { message: 'the mode is not as expected', expected: 'mult', actual: 'nothing' },
      { message: 'the mode is not as expected', expected: 'fixed', actual: 'nothing' },
    ],
  ])('%s', ([, one, other]) => {
    expect(signatureOf(failure(one))).toBe(signatureOf(failure(other)))
  })
})

describe('the signature differs', () => {
  const index = { message: 'the index of the new rule is not as expected', expected: '5' }
  const newRule = { expected: 'the new rule 900000001>900000007 at index 3' }
  const lists = { expected: rules('#0 1001>2001 mult 1 same', '#1 1002>2002 mult 1 same') }
  test.for<[string, Partial<Failure>, Partial<Failure>]>([
    ['for another check', {}, { id: 'CT-2' }],
    ['for another message', {}, { message: 'there is no answer' }],
    ['for another status', { actual: 'status 200: {}' }, { actual: 'status 500: {}' }],
    ['for another status in the message', { message: 'the status is 200' }, { message: 'the status is 204' }],
    [
      'for another status among several',
      { message: 'the statuses is not as expected', expected: '[400,200]', actual: '[201,200]' },
      { message: 'the statuses is not as expected', expected: '[400,200]', actual: '[500,200]' },
    ],
    ['for another error text', { actual: '{"error":"full"}' }, { actual: '{"error":"no rule"}' }],
    [
      'for a value that was changed otherwise',
      { message: 'the value is not as expected', expected: '3.14151', actual: '3.14' },
      { message: 'the value is not as expected', expected: '3.14151', actual: '3' },
    ],
    ['for an index that is too high', { ...index, actual: '1' }, { ...index, actual: '6' }],
    ['for a number as text', { actual: '{"index":1}' }, { actual: '{"index":"1"}' }],
    [
      'for text in a list of numbers',
      { expected: '[1,2]', actual: '[2,1]' },
      { expected: '[1,2]', actual: '["1","2"]' },
    ],
    [
      'for another login than the expected one',
      { ...newRule, actual: '{"master":900000001,"follower":900000007,"value":1}' },
      { ...newRule, actual: '{"master":900000001,"follower":900000003,"value":1}' },
    ],
    [
      'for a lost rule and a moved one',
      { ...lists, actual: rules('#1 1002>2002 mult 1 same', '#0 1001>2001 mult 1 same') },
      { ...lists, actual: rules('#0 1001>2001 mult 1 same') },
    ],
  ])('%s', ([, one, other]) => {
    expect(signatureOf(failure(one))).not.toBe(signatureOf(failure(other)))
  })
})

test('a signature is twelve hexadecimal digits, and stays what it is in files that exist', () => {
  expect(signatureOf(failure({}))).toMatch(/^[\da-f]{12}$/)
  expect(signatureOf(failure({ expected: null, actual: null }))).toBe('608568a31e55')
})
