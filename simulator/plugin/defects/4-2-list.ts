import type { IncomingMessage } from 'node:http'
import { asks, changesResponse, textOf, withMembers, withoutMember, withText } from '../../defect-parts/wire.ts'
import type { HttpResponse, Json } from '../../server/response.ts'
import type { Defect, Mask } from './defect.ts'
import { knowingLoadedRules, returnsList, returnsStatus } from './overrides.ts'

/** A server that lists the first rule last in some GETs. */
function listsFirstLast(isMeant: (readings: number) => boolean): Defect['override'] {
  return ({ writtenList, listBody }) => {
    let readings = 0
    return {
      writtenList: (_, write) => writtenList(undefined, write),
      listBody: (rules) => {
        readings++
        return listBody(isMeant(readings) ? [...rules.slice(1), ...rules.slice(0, 1)] : rules)
      },
    }
  }
}

/** A server that caches the list for each query string until such a request. */
function cachesByQuery(isRenewedBy: (request: IncomingMessage) => boolean): Defect['override'] {
  return () => {
    const cached = new Map<string, HttpResponse>()
    return {
      finish: (response, request) => {
        const { url = '' } = request
        if (isRenewedBy(request)) cached.clear()
        if (!asks(request, 'GET /api/rules?') || response.status !== 200) return response
        const known = cached.get(url) ?? response
        cached.set(url, known)
        return known
      },
    }
  }
}

const queriesOfPathRejected: readonly Mask[] = [
  { answers: { 'plugin.path.query': 'refused' } },
  { answers: { 'plugin.path.query': 'unknown' } },
]

const acceptsHtml = (status: number, request: IncomingMessage) =>
  status === 200 && asks(request, 'GET /api/rules') && /text.html/.test(String(request.headers.accept))

/** Clause 4.2: GET /api/rules, and what it says about the list. */
export const listDefects: readonly Defect[] = [
  {
    id: 'list.answers-203',
    breaks: ['plugin.list.ok'],
    summary: 'GET /api/rules returns 203.',
    override: changesResponse(
      (status, request) => asks(request, 'GET /api/rules') && status === 200,
      (response) => ({ ...response, status: 203 }),
    ),
  },
  {
    id: 'list.total-as-text',
    breaks: ['plugin.list.ok', 'plugin.list.total'],
    summary: 'total is a string.',
    override: returnsList((rules) => ({ total: String(rules.length) })),
  },
  {
    id: 'list.rules-by-index',
    breaks: ['plugin.list.ok'],
    summary: 'rules is an object with the indices as members.',
    override: returnsList((rules) => ({ rules: { ...rules } })),
  },
  {
    id: 'list.total-is-last-index',
    breaks: ['plugin.list.total'],
    summary: 'total is the last index, one less than the number of rules.',
    override: returnsList((rules) => ({ total: Math.max(0, rules.length - 1) })),
  },
  {
    id: 'list.total-never-falls',
    breaks: ['plugin.list.total'],
    summary: 'total counts added rules and does not decrease with a DELETE.',
    override: ({ listBody }) => {
      let most = 0
      return {
        listBody: (rules) => {
          most = Math.max(most, rules.length)
          return withMembers(listBody(rules), { total: most })
        },
      }
    },
  },
  {
    id: 'list.total-without-the-newest-rule',
    breaks: ['plugin.list.total'],
    summary: 'total does not count the last added rule before the next change.',
    override: ({ addRule, removeRule, listBody }) => {
      let uncounted = 0
      return {
        addRule: (rules, rule) => {
          uncounted = 1
          return addRule(rules, rule)
        },
        removeRule: (rules, position) => {
          uncounted = 0
          return removeRule(rules, position)
        },
        listBody: (rules) => withMembers(listBody(rules), { total: rules.length - uncounted }),
      }
    },
  },
  {
    id: 'list.total-of-the-list-before',
    breaks: ['plugin.list.total'],
    summary: 'total is the total of the previous GET.',
    override: ({ listBody }) => {
      let before: number | undefined
      return {
        listBody: (rules) => {
          const total = before ?? rules.length
          before = rules.length
          return withMembers(listBody(rules), { total })
        },
      }
    },
  },
  {
    id: 'list.kept-over-removals',
    breaks: ['plugin.rule.exists-until-removed'],
    summary: 'The list is cached; a POST updates the cache and a DELETE does not.',
    override: ({ addRule }) => {
      let cached: Uint8Array | undefined
      return {
        addRule: (rules, rule) => {
          cached = undefined
          return addRule(rules, rule)
        },
        writtenList: (_, write) => {
          cached ??= write()
          return cached
        },
      }
    },
  },
  {
    id: 'list.cached-while-its-length-stays',
    breaks: ['plugin.add.index-of-new-rule'],
    summary: 'The list is cached until the number of rules changes.',
    override: ({ listBody }) => {
      let cached: Json = null
      let length = -1
      return {
        listBody: (rules) => {
          if (rules.length !== length) cached = listBody(rules)
          length = rules.length
          return cached
        },
      }
    },
  },
  {
    id: 'list.cut-after-ten',
    breaks: ['plugin.capacity.lists-all'],
    summary: 'The list shows at most ten rules, with the correct total.',
    override: returnsList((rules) => ({ rules: rules.slice(0, 10) })),
  },
  {
    id: 'list.pages-overlap',
    breaks: ['plugin.list.all-active'],
    summary: 'The list is built from pages of eight, and each page repeats the last rule of the previous one.',
    override: ({ listBody }) => ({
      listBody: (rules) =>
        listBody(rules.flatMap((rule, place) => (place % 8 === 7 && place + 1 < rules.length ? [rule, rule] : [rule]))),
    }),
  },
  {
    id: 'list.empty-is-null',
    breaks: ['plugin.list.total'],
    summary: 'rules is null if there is no rule.',
    override: ({ listBody }) => ({
      listBody: (rules) => (rules.length === 0 ? { rules: null, total: 0 } : listBody(rules)),
    }),
  },
  {
    id: 'list.empty-has-no-total',
    breaks: ['plugin.list.total'],
    summary: 'total is omitted if there is no rule.',
    override: ({ listBody }) => ({
      listBody: (rules) => (rules.length === 0 ? withoutMember(listBody(rules), 'total') : listBody(rules)),
    }),
  },
  {
    id: 'list.empty-shows-a-blank-rule',
    breaks: ['plugin.list.total'],
    summary: 'An empty list shows one blank rule.',
    override: ({ listBody }) => ({
      listBody: (rules) =>
        rules.length > 0
          ? listBody(rules)
          : { rules: [{ index: 0, master: 0, follower: 0, mode: 'mult', value: 0, direction: 'same' }], total: 0 },
    }),
  },
  {
    id: 'list.shows-multiplier',
    breaks: ['plugin.list.mode-normalised'],
    summary: 'The mode is stored as it was sent, so multiplier is listed as multiplier.',
    override: ({ readMode }) => ({
      // A C++ server keeps any text here; the type of the simulator knows the two documented modes alone.
      readMode: (value) => (readMode(value) && value) as ReturnType<typeof readMode>,
    }),
  },
  {
    id: 'list.reading-turns-it',
    breaks: ['plugin.list.reading-changes-nothing'],
    summary: 'From the fourth GET on, the first rule is listed last.',
    override: listsFirstLast((readings) => readings >= 4),
  },
  {
    id: 'list.cut-after-seven',
    breaks: ['plugin.list.all-active'],
    summary: 'The list shows at most seven rules, with the correct total.',
    override: returnsList((rules) => ({ rules: rules.slice(0, 7) })),
  },
  {
    id: 'list.each-fourth-reading-turns-it',
    breaks: ['plugin.list.reading-changes-nothing'],
    summary: 'Every fourth GET lists the first rule last.',
    override: listsFirstLast((readings) => readings % 4 === 0),
  },
  {
    id: 'list.total-without-rules-of-the-file',
    breaks: ['plugin.list.total'],
    summary: 'total counts only the rules added since the start, not those of the file.',
    override: knowingLoadedRules((hooks, loaded) =>
      returnsList((rules) => ({ total: Math.max(0, rules.length - loaded().length) }))(hooks),
    ),
  },
  {
    id: 'status.rules-of-the-file-not-counted',
    breaks: ['plugin.status.rules-loaded-is-total'],
    summary: 'rules_loaded counts the rules of Copy_N and the added ones, but not those of the file.',
    override: knowingLoadedRules((hooks, loaded) =>
      returnsStatus(({ rules }) => ({ rules_loaded: Math.max(0, rules.length - loaded().length) }))(hooks),
    ),
  },
  {
    id: 'list.etag-of-the-count',
    breaks: ['plugin.list.all-active'],
    summary: 'The ETag is the number of rules, so a list with as many other rules returns 304.',
    override: ({ listBody }) => {
      let count = 0
      return {
        listBody: (rules) => {
          count = rules.length
          return listBody(rules)
        },
        finish: (response, request) => {
          if (request.method !== 'GET' || request.url !== '/api/rules' || response.status !== 200) return response
          const ETag = `"${count}"`
          const headers = { ...response.headers, ETag }
          if (request.headers['if-none-match'] === ETag) return { status: 304, headers, body: undefined }
          return { ...response, headers }
        },
      }
    },
  },
  {
    id: 'list.cached-for-each-query',
    breaks: ['plugin.list.all-active'],
    maskedBy: queriesOfPathRejected,
    summary: 'GET /api/rules with a query string returns the list of the first such request.',
    override: cachesByQuery(() => false),
  },
  {
    id: 'list.cached-for-each-query-until-a-post',
    breaks: ['plugin.list.all-active'],
    maskedBy: queriesOfPathRejected,
    summary: 'GET /api/rules with a query string returns the list of the first such request since the last POST.',
    override: cachesByQuery(({ method }) => method === 'POST'),
  },
  {
    id: 'list.html-if-accepted',
    breaks: ['plugin.list.ok'],
    summary: 'GET /api/rules returns HTML where the client accepts that too.',
    override: changesResponse(acceptsHtml, (response) =>
      withText(response, `<pre>${textOf(response)}</pre>`, 'text/html'),
    ),
  },
  {
    id: 'list.empty-if-html-accepted',
    breaks: ['plugin.list.ok'],
    summary: 'GET /api/rules returns an empty list where the client accepts HTML too.',
    override: changesResponse(acceptsHtml, (response) =>
      withText(response, '{"rules":[],"total":0}', 'application/json'),
    ),
  },
]
