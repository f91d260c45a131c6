import { remove } from '../../../session/rejected-requests.ts'
import type { Id, PointOf, RemovalRow, Rows } from './row.ts'

const arabicZero = 0x660

function arabicDigits(index: number): string {
  return encodeURIComponent(String(index).replace(/\d/g, (digit) => String.fromCharCode(arabicZero + Number(digit))))
}

type Spelling = readonly [
  id: Id,
  point: PointOf<'plugin.index'>,
  what: string,
  spell: (index: number) => string,
  risk?: 'exclusive',
]

/** Spellings with a question of their own. A parser of numbers may read the exclusive ones as the index of another rule. */
const spellings: readonly Spelling[] = [
  ['CQ-210', 'leading-zero', 'a leading zero in the index', (index) => `0${index}`, 'exclusive'],
  ['CQ-211', 'plus-sign', 'a plus sign before the index', (index) => `+${index}`],
  ['CQ-212', 'space', 'an encoded space before the index', (index) => `%20${index}`, 'exclusive'],
  ['CQ-214', 'space-behind', 'an encoded space after the index', (index) => `${index}%20`],
  ['CQ-215', 'underscore', 'an underscore in the index', (index) => `0_${index}`, 'exclusive'],
  ['CQ-216', 'other-digits', 'the index in Arabic-Indic digits', arabicDigits, 'exclusive'],
]

/** Spellings that a server may read as the index or reject. None of them is the index of another rule. */
export const indexSpellings: readonly ((index: number) => string)[] = [
  ...spellings.map(([, , , spell]) => spell),
  (index) => `000${index}`,
  (index) => `${index}%09`,
  (index) => [...String(index)].join('_'),
  // RFC 3986, section 3.3: a segment may end in parameters. Servlet containers and Fastify 4 remove them.
  (index) => `${index};2`,
  (index) => `0x${index.toString(16)}`,
]

export const removalRows: Rows<RemovalRow> = {
  ...Object.fromEntries(
    spellings.map(([id, point, what, spell, risk]): [string, RemovalRow] => [
      `${id} DELETE with ${what} shows whether the rule is removed`,
      {
        ids: [`plugin.index.${point}`, `remove.${point}`],
        send: (index) => remove(spell(index)),
        risk,
        answers: { 200: 'accepted', 404: 'refused', 400: 'refused' },
      },
    ]),
  ),
  'CQ-213 DELETE with a query string after the index shows whether the rule is removed': {
    ids: ['plugin.index.query', 'remove.query'],
    send: (index) => remove(`${index}?x=1`),
    answers: { 200: 'ignored', 404: 'refused', 400: 'refused' },
  },
  'CQ-308 DELETE of a rule with the body {} shows whether the rule is removed': {
    ids: ['plugin.body.on-delete', 'remove.body'],
    send: (index) => remove(index, { body: '{}' }),
    answers: { 200: 'ignored', 400: 'refused' },
  },
}
