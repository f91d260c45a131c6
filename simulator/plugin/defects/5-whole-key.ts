import type { Hooks } from '../hooks/hooks.ts'
import { type Defect, rows } from './defect.ts'
import { type Asked, compares, duringRequests } from './overrides.ts'

type SameKey = Hooks['sameKey']

/** A server that compares keys in another way for some requests. */
function comparesFor(isMeant: (asked: Asked) => boolean, alike: SameKey): Defect['override'] {
  return duringRequests(isMeant, ({ sameKey, readApiKeyHeader }, isLenient) => ({
    readApiKeyHeader: (headers) => (isLenient() ? headers['x-api-key']?.toString() : readApiKeyHeader(headers)),
    sameKey: (given, key) => (isLenient() && key !== '' && alike(given, key)) || sameKey(given, key),
  }))
}

const sorted = (key: string) => [...key].toSorted().join('')
const beginsIt: SameKey = (given, key) => given !== '' && key.startsWith(given)
const isDelete = ({ method }: Asked) => method === 'DELETE'

/** Clause 5: keys that are only nearly right. */
export const wholeKeyDefects: readonly Defect[] = [
  ...rows('plugin.auth.whole-key', {
    'key.first-letter-not-compared': [
      'The first character of the key is not compared.',
      compares((given, key) => given.length === key.length && given.slice(1) === key.slice(1)),
    ],
    'key.order-of-letters-ignored': [
      'Only a sum of the characters is compared, so their order does not matter.',
      compares((given, key) => sorted(given) === sorted(key)),
    ],
    'key.beginning-enough-for-delete': ['DELETE accepts a prefix of the key.', comparesFor(isDelete, beginsIt)],
    'key.beginning-enough-for-post': [
      'POST accepts a prefix of the key.',
      comparesFor(({ method }) => method === 'POST', beginsIt),
    ],
    'key.beginning-enough-for-list': [
      'GET /api/rules accepts a prefix of the key.',
      comparesFor(({ method, path }) => `${method} ${path}` === 'GET /api/rules', beginsIt),
    ],
    'key.one-of-a-list': [
      'A comma-separated list that contains the key is accepted.',
      compares((given, key) => given.split(',').some((one) => one.trim() === key)),
    ],
    'key.may-stand-in-quotes': [
      'A key in quotation marks is accepted.',
      compares((given, key) => given.replace(/^"(.*)"$/, '$1') === key),
    ],
    'key.longer-than-its-buffer': [
      'A key of more than 255 characters overflows its buffer and is accepted.',
      compares((given, key) => given.length > 255 || given === key),
    ],
  }),
  ...rows('plugin.auth.changes-need-key', {
    'key.empty-enough-for-delete': ['DELETE accepts an empty key.', comparesFor(isDelete, (given) => given === '')],
  }),
  ...rows(['plugin.auth.reads-need-key', 'plugin.auth.changes-need-key'], {
    'key.empty-enough-for-post-and-list': [
      'POST and GET /api/rules accept an empty key.',
      comparesFor(
        ({ method, path }) => path === '/api/rules' && method !== 'DELETE',
        (given) => given === '',
      ),
    ],
  }),
]
