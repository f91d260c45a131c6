import { combine } from '../../defect-parts/combine.ts'
import { drop, fail, is } from '../../defect-parts/wire.ts'
import { type Defect, masked, rows } from './defect.ts'
import type { Right } from './known.ts'
import { smallValuesRejected } from './masks.ts'
import {
  addsTo,
  instead,
  leaves,
  listsRule,
  responds,
  result,
  returnsList,
  returnsStatus,
  storesValue,
} from './overrides.ts'

const overflows = (number: unknown) => /e\+?[3-9]\d\d/i.test(String(number))
const underflows = (number: unknown) => /e-[3-9]\d\d/i.test(String(number))

/** Clause 4.2: servers that are correct as long as the list is short. */
export const ordinaryDefects: readonly Defect[] = rows('plugin.http.ordinary-requests', {
  'robust.infinity-is-null A value of 1e400 is stored as infinity and listed as null.': combine<Right>([
    instead('fitValue', (_, value) => value),
    listsRule(({ value }) => (Number.isFinite(value) ? {} : { value: null })),
  ]),
  'ordinary.long-list-truncated Lists above 1 KiB are cut.': result('writtenList')((list) => list.subarray(0, 1024)),
  'ordinary.long-list-returns-500 A list of nine rules or more returns 500.': () =>
    returnsList((rules) => (rules.length > 8 ? fail() : {})),
  'ordinary.long-list-drops-connection GET of a list of nine rules or more closes the connection without a response.':
    returnsList((rules) => (rules.length > 8 ? drop() : {})),
  'ordinary.status-of-long-list-returns-500 GET /api/status returns 500 when the list has nine rules or more.':
    returnsStatus(({ rules }) => (rules.length > 8 ? fail() : {})),
  'ordinary.post-to-long-list-returns-200 POST to a list of nine rules or more returns 200.': () =>
    responds(is(201), (response, _, { known }) => (known.rules.length > 9 ? { ...response, status: 200 } : response)),
  'ordinary.ninth-rule-replaces-the-first A rule that is added to a list of eight rules or more replaces the first one.':
    addsTo((rules) => (rules.length > 7 ? rules.slice(1) : rules)),
  'ordinary.long-list-keeps-removed-rule DELETE in a list of nine rules or more returns 200 and removes nothing.':
    leaves((left, [rules]) => (rules.length > 8 ? rules : left)),
  'ordinary.status-returns-500 GET /api/status returns 500.': returnsStatus(fail),
  'ordinary.overflowing-login-breaks-list After a POST with a follower above the range of a double, the list returns 500.':
    result('writtenList')((list, _, { sent }) => (sent.some(({ follower }) => overflows(follower)) ? fail() : list)),
  'ordinary.overflow-breaks-list A value above the range of a double is accepted, and the list returns 500 from then on.':
    combine<Right>([
      returnsList((_, { sent }) => (sent.some(({ value }) => overflows(value)) ? fail() : {})),
      instead('readValue', ({ readValue }, value) => (overflows(value) ? 1 : readValue(value))),
    ]),
  'ordinary.underflow-read-as-zero A value below the range of a double is accepted and listed as 0.': combine<Right>([
    listsRule((_rule, _index, { members }) => (underflows(members.value) ? { value: 0 } : {})),
    instead('readValue', ({ readValue }, value) => (underflows(value) ? 1 : readValue(value))),
  ]),
  'ordinary.float-underflow-stored-as-zero A value below the range of a 32-bit float is accepted and stored as 0.':
    masked(smallValuesRejected)(storesValue((value) => (Math.fround(value) === 0 ? 0 : value))),
})
