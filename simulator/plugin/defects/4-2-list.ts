import type { IncomingMessage } from 'node:http'
import { asks, type Changes, is, textOf, withText } from '../../defect-parts/wire.ts'
import type { HttpResponse } from '../../server/response.ts'
import type { Mode } from '../model/rule.ts'
import { type Defect, masked, rows } from './defect.ts'
import type { Known, Mutation } from './known.ts'
import { pathQueriesRejected } from './masks.ts'
import { answers, argument, listsAtMost, responds, result, returnsList, returnsStatus } from './overrides.ts'

/** A server that lists the first rule last in some responses. */
const listsFirstLast =
  (isMeant: (lists: number) => boolean): Mutation =>
  ({ writtenList, listBody, known }) => ({
    writtenList: (_, write) => writtenList(undefined, write),
    listBody: (rules) => listBody(isMeant(known.lists + 1) ? [...rules.slice(1), ...rules.slice(0, 1)] : rules),
  })

/** A server that caches the list until this number changes. */
function cachesList(numberOf: (known: Known) => number): Mutation {
  return ({ known }) => {
    let cached: { readonly at: number; readonly list: Uint8Array } = { at: Number.NaN, list: new Uint8Array() }
    return {
      writtenList: (_given, write) => {
        const at = numberOf(known)
        if (at !== cached.at) cached = { at, list: write() }
        return cached.list
      },
    }
  }
}

/** A server that caches the list for requests with a query string until a request with this method. */
const cachesPerQuery = (method: string) =>
  masked(pathQueriesRejected)(() => {
    let cached: HttpResponse | undefined
    return {
      finish: (response, request) => {
        if (request.method === method) cached = undefined
        if (!asks(request, 'GET /api/rules?') || response.status !== 200) return response
        cached ??= response
        return cached
      },
    }
  })

const returnsEmptyList = (members: Changes) => returnsList(({ length }) => (length === 0 ? members : {}))

/** How many rules were not loaded from the file. */
const notLoaded = (known: Known, rules: readonly unknown[]) => Math.max(0, rules.length - known.loaded.length)

const acceptsHtml = (status: number, request: IncomingMessage) =>
  status === 200 && asks(request, 'GET /api/rules') && /text.html/.test(String(request.headers.accept))

/** Clause 4.2: GET /api/rules. */
export const listDefects: readonly Defect[] = [
  ...rows('plugin.list.ok', {
    'list.returns-203 GET /api/rules returns 203.': answers('GET /api/rules', { status: 203 }),
    'list.rules-by-index rules is an object keyed by index.': returnsList((rules) => ({ rules: { ...rules } })),
    'list.html-when-accepted GET /api/rules returns HTML where the client accepts that too.': () =>
      responds(acceptsHtml, (response) => withText(response, `<pre>${textOf(response)}</pre>`, 'text/html')),
    'list.empty-when-html-accepted GET /api/rules returns an empty list where the client accepts HTML too.': () =>
      responds(acceptsHtml, (response) => withText(response, '{"rules":[],"total":0}', 'application/json')),
  }),
  ...rows(['plugin.list.ok', 'plugin.list.total'], {
    'list.total-as-string total is a string.': returnsList((rules) => ({ total: String(rules.length) })),
  }),
  ...rows('plugin.list.total', {
    'list.total-is-last-index total is the last index, one less than the number of rules.': () =>
      returnsList((rules) => ({ total: Math.max(0, rules.length - 1) })),
    'list.total-never-decreases total counts added rules and does not decrease with a DELETE.': () =>
      returnsList((_, { most }) => ({ total: most })),
    'list.total-is-highest-after-five-removals After more than five DELETEs total is the highest number of rules so far.':
      returnsList(({ length }, { most, removed }) => ({ total: removed.length > 5 ? most : length })),
    'list.total-excludes-newest-rule total does not count the last added rule before the next change.': () =>
      returnsList(({ length }, { change }) => ({ total: change === 'add-rule' ? length - 1 : length })),
    'list.total-of-previous-get total is the total of the previous GET.': () =>
      returnsList(({ length }, { lastTotal = length }) => ({ total: lastTotal })),
    'list.empty-is-null rules is null if there is no rule.': returnsEmptyList({ rules: null }),
    'list.total-omitted-when-empty total is omitted if there is no rule.': returnsEmptyList({ total: undefined }),
    'list.blank-rule-when-empty An empty list shows one blank rule.': () =>
      returnsEmptyList({ rules: [{ index: 0, master: 0, follower: 0, mode: 'mult', value: 0, direction: 'same' }] }),
    'list.total-excludes-file-rules total counts only the rules added since the start, not those of the file.':
      returnsList((rules, known) => ({ total: notLoaded(known, rules) })),
  }),
  ...rows('plugin.rule.exists-until-removed', {
    'list.cache-ignores-removals The list is cached; a POST updates the cache and a DELETE does not.': () =>
      cachesList(({ added }) => added.size),
  }),
  ...rows('plugin.add.index-of-new-rule', {
    'list.cached-until-length-changes The list is cached until the number of rules changes.': () =>
      cachesList(({ rules }) => rules.length),
  }),
  ...rows('plugin.list.all-active', {
    'list.pages-overlap The list is built from pages of eight, and each page repeats the last rule of the previous one.':
      argument('listBody')((rules) =>
        rules.flatMap((rule, at) => (at % 8 === 7 && at + 1 < rules.length ? [rule, rule] : [rule])),
      ),
    'list.limited-to-seven The list shows at most seven rules, with the correct total.': listsAtMost(7),
    'list.etag-from-count The ETag is the number of rules, so a list with as many other rules returns 304.': () =>
      responds(is(200, /^GET \/api\/rules$/), (response, request, { known }) => {
        const ETag = `"${known.rules.length}"`
        const headers = { ...response.headers, ETag }
        const isKnown = request.headers['if-none-match'] === ETag
        return isKnown ? { status: 304, headers, body: undefined } : { ...response, headers }
      }),
    'list.cached-per-query-until-post GET /api/rules with a query string returns the list of the first such request since the last POST.':
      cachesPerQuery('POST'),
    'list.cached-per-query-until-delete GET /api/rules with a query string returns the list of the first such request since the last DELETE.':
      cachesPerQuery('DELETE'),
  }),
  ...rows('plugin.list.mode-normalised', {
    'add.multiplier-stored-as-fixed Every mode except mult is stored as fixed, including the alias multiplier.': () =>
      result('readMode')((_, [value]) => (value === 'mult' ? 'mult' : 'fixed')),
    'list.multiplier-not-normalized The mode is stored as it was sent, so multiplier is listed as multiplier.': () =>
      result('readMode')((_, [value]) => value as Mode),
  }),
  ...rows('plugin.list.reading-changes-nothing', listsFirstLast, {
    'list.rotated-from-fourth-get From the fourth GET on, the first rule is listed last.': (readings) => readings >= 4,
    'list.rotated-every-fourth-get Every fourth GET lists the first rule last.': (readings) => readings % 4 === 0,
  }),
  ...rows('plugin.status.rules-loaded-is-total', {
    'status.file-rules-not-counted rules_loaded counts the rules of Copy_N and the added ones, but not those of the file.':
      returnsStatus(({ rules }, known) => ({ rules_loaded: notLoaded(known, rules) })),
  }),
]
