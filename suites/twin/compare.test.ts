import { expect, test } from 'vitest'
import { parseJson } from '../client/json.ts'
import { type ComparedResponse, compare, describePlace } from './compare.ts'

const isIgnored = (pointer: string) => pointer.endsWith('/note')
const anyWords = { isRecorded: () => true, isIgnored }
const noWords = { isRecorded: () => false, isIgnored }

function seen(
  text: string,
  headers: Readonly<Record<string, string>> = {},
  status = 200,
): NonNullable<ComparedResponse> {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    text,
    json: parseJson(Buffer.from(text)),
  }
}

/** The places where the two differ. */
function places(one: ComparedResponse, other: ComparedResponse): readonly string[] {
  const there = compare(one, other, anyWords).map(({ place }) => describePlace(place))
  expect(compare(other, one, anyWords).map(({ place }) => describePlace(place))).toEqual(there)
  return there
}

test.for([
  ['{"a":1,"b":[1.50]}', '{ "b": [1.5], "a": 1.0 }'],
  ['{"a":"\\u0041"}', '{"a":"A"}'],
  ['{"api_port":1}', '{"api_port":2}'],
  ['{"rules":[{"note":1}]}', '{"rules":[{}]}'],
  ['', ''],
])('%s and %s are equal', ([one = '', other = '']) => {
  expect(places(seen(one), seen(other))).toEqual([])
})

test.for([
  { one: '{"a":1}', other: '{"a":1,"b":2}', at: ['body at /b'] },
  { one: '{}', other: '{"__proto__":{}}', at: ['body at /__proto__'] },
  { one: '{"a":1}', other: '{"a":"1"}', at: ['body at /a'] },
  { one: '{"a":null}', other: '{}', at: ['body at /a'] },
  { one: '{"a":9007199254740993}', other: '{"a":9007199254740992}', at: ['body at /a'] },
  { one: '{"a":[]}', other: '{"a":{}}', at: ['body at /a'] },
  { one: '{"a":[1]}', other: '{"a":[1,null]}', at: ['body at /a/1'] },
  { one: '{"api_port":1}', other: '{"api_port":"1"}', at: ['body at /api_port'] },
  { one: '{}', other: '', at: ['body at /'] },
  { one: 'x', other: 'y', at: ['body'] },
])('$one and $other differ', ({ one, other, at }) => {
  expect(places(seen(one), seen(other))).toEqual(at)
})

test('only the headers that programs act upon are compared', () => {
  const headers = {
    'content-type': 'Application/JSON; charset=utf-8',
    allow: 'POST,GET',
    date: 'a',
    'content-length': '1',
  }
  expect(places(seen('{}', { allow: 'GET, POST' }), seen('{}', headers))).toEqual([])
  expect(places(seen('{}'), seen('{}', { 'content-type': 'text/plain' }))).toEqual(['header content-type'])
  expect(places(seen('{}', { allow: 'GET' }), seen('{}', { allow: 'GET, HEAD' }))).toEqual(['header allow'])
  expect(places(seen('{}', { 'www-authenticate': 'Bearer' }), seen('{}', { 'www-authenticate': 'Basic' }))).toEqual([])
  expect(places(seen('{}', { 'www-authenticate': 'Bearer' }), seen('{}'))).toEqual(['header www-authenticate'])
  expect(places(seen('{}', { location: 'http://a/b' }), seen('{}', { location: '/b' }))).toEqual([])
})

test('the body of a redirect does not count', () => {
  expect(places(seen('{"error":"a"}', { location: '/b' }, 308), seen('', { location: '/b' }, 308))).toEqual([])
})

test('a missing response is compared like a response', () => {
  expect(places(null, null)).toEqual([])
  expect(places(null, seen('{}'))).toEqual(['response'])
})

test('an error text counts if it is recorded', () => {
  const [one, other] = [seen('{"error":"a"}', {}, 404), seen('{"error":"b"}', {}, 404)]
  expect(compare(one, other, anyWords)).toMatchObject([{ place: { part: 'body', pointer: '/error' }, wording: false }])
  expect(compare(one, other, noWords)).toMatchObject([{ place: { part: 'body', pointer: '/error' }, wording: true }])
  expect(compare(one, seen('{"error":1}', {}, 404), noWords)).toMatchObject([{ wording: false }])
})

test('the text of a 401 is only wording, since a server may have different ones for a missing and a wrong key', () => {
  const differing = (status: number) =>
    compare(seen('{"error":"a"}', {}, status), seen('{"error":"b"}', {}, status), anyWords)
  expect(differing(401)).toMatchObject([{ wording: true }])
  expect(differing(404)).toMatchObject([{ wording: false }])
})

test.for([
  ['Cannot GET /api/nothing', 'Cannot GET /api/unknown', true],
  ['there is no mode "half"', 'there is no mode "x"', true],
  ['value -2.5 is too small', 'value 0 is too small', true],
  ['value -2.5 is too small', 'value 0 is too large', false],
  ['"mode" is wrong', '"value" is wrong', false],
  ['halfway there', 'quarterway there', false],
  ['missing `mode` at line 1 column 85', 'missing `mode` at line 1 column 66', true],
  ['missing `mode` (line: 1, column: 85)', 'missing `mode` (line: 2, column: 66)', true],
  ['missing `mode` at line 1 column 85', 'missing `value` at line 1 column 66', false],
  ['at most 300 rules', 'at most 400 rules', false],
] as const)('what %s repeats of the request may be something else in %s: %s', ([target, twin, same]) => {
  const sent = { method: 'GET', url: 'http://a/api/nothing', headers: [], body: '{"mode":"half","value":-2.5}' }
  const [one, other] = [target, twin].map((error) => seen(JSON.stringify({ error }), {}, 400))
  expect(compare(one ?? null, other ?? null, anyWords, sent)).toHaveLength(same ? 0 : 1)
})
