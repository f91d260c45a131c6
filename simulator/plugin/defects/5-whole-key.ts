import type { Hooks } from '../hooks/hooks.ts'
import type { Defect } from './defect.ts'
import { type Asked, duringRequests } from './overrides.ts'

type SameKey = Hooks['sameKey']

/** A server that compares keys in another way. Without a key of its own it accepts none. */
function compares(alike: SameKey): Defect['override'] {
  return () => ({ sameKey: (given, key) => key !== '' && alike(given, key) })
}

/** A server that compares keys in another way for some requests. */
function comparesFor(isMeant: (asked: Asked) => boolean, alike: SameKey): Defect['override'] {
  return duringRequests(isMeant, ({ sameKey, readApiKeyHeader }, isLenient) => ({
    readApiKeyHeader: (headers) => (isLenient() ? headers['x-api-key']?.toString() : readApiKeyHeader(headers)),
    sameKey: (given, key) => (isLenient() && key !== '' && alike(given, key)) || sameKey(given, key),
  }))
}

const everySecond = (key: string) => [...key].filter((_, place) => place % 2 === 1).join('')
const sorted = (key: string) => [...key].toSorted().join('')
const beginsIt: SameKey = (given, key) => given !== '' && key.startsWith(given)
const isDelete = ({ method }: Asked) => method === 'DELETE'

/** Clause 5: keys that are only nearly right. */
export const wholeKeyDefects: readonly Defect[] = [
  {
    id: 'key.first-letter-not-compared',
    breaks: ['plugin.auth.whole-key'],
    summary: 'The first character of the key is not compared.',
    override: compares((given, key) => given.length === key.length && given.slice(1) === key.slice(1)),
  },
  {
    id: 'key.letters-at-odd-places-compared',
    breaks: ['plugin.auth.whole-key'],
    summary: 'Only every second character of the key is compared.',
    override: compares((given, key) => given.length === key.length && everySecond(given) === everySecond(key)),
  },
  {
    id: 'key.order-of-letters-ignored',
    breaks: ['plugin.auth.whole-key'],
    summary: 'Only a sum of the characters is compared, so their order does not matter.',
    override: compares((given, key) => sorted(given) === sorted(key)),
  },
  {
    id: 'key.beginning-enough-for-delete',
    breaks: ['plugin.auth.whole-key'],
    summary: 'DELETE accepts a prefix of the key.',
    override: comparesFor(isDelete, beginsIt),
  },
  {
    id: 'key.beginning-enough-for-post',
    breaks: ['plugin.auth.whole-key'],
    summary: 'POST accepts a prefix of the key.',
    override: comparesFor(({ method }) => method === 'POST', beginsIt),
  },
  {
    id: 'key.beginning-enough-for-list',
    breaks: ['plugin.auth.whole-key'],
    summary: 'GET /api/rules accepts a prefix of the key.',
    override: comparesFor(({ method, path }) => `${method} ${path}` === 'GET /api/rules', beginsIt),
  },
  {
    id: 'key.empty-enough-for-delete',
    breaks: ['plugin.auth.changes-need-key'],
    summary: 'DELETE accepts an empty key.',
    override: comparesFor(isDelete, (given) => given === ''),
  },
  {
    id: 'key.empty-enough-for-post-and-list',
    breaks: ['plugin.auth.reads-need-key', 'plugin.auth.changes-need-key'],
    summary: 'POST and GET /api/rules accept an empty key.',
    override: comparesFor(
      ({ method, path }) => path === '/api/rules' && method !== 'DELETE',
      (given) => given === '',
    ),
  },
  {
    id: 'key.one-of-a-list',
    breaks: ['plugin.auth.whole-key'],
    summary: 'A comma-separated list that contains the key is accepted.',
    override: compares((given, key) => given.split(',').some((one) => one.trim() === key)),
  },
  {
    id: 'key.may-stand-in-quotes',
    breaks: ['plugin.auth.whole-key'],
    summary: 'A key in quotation marks is accepted.',
    override: compares((given, key) => given.replace(/^"(.*)"$/, '$1') === key),
  },
  {
    id: 'key.longer-than-its-buffer',
    breaks: ['plugin.auth.whole-key'],
    summary: 'A key of more than 255 characters overflows its buffer and is accepted.',
    override: compares((given, key) => given.length > 255 || given === key),
  },
]
