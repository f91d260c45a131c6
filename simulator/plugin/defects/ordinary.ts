import { gzipSync } from 'node:zlib'
import { changesResponse, withMembers } from '../../defect-parts/wire.ts'
import { Dropped } from '../../server/error-response.ts'
import type { Defect } from './defect.ts'

/** Clause 4.2: servers that are right as long as the list is short. */
export const ordinaryDefects: readonly Defect[] = [
  {
    id: 'ordinary.long-list-cut-off',
    breaks: ['plugin.http.ordinary-requests'],
    summary: 'A list of more than 1 KiB is cut off.',
    override: (hooks) => ({ writtenList: (cached, write) => hooks.writtenList(cached, write).subarray(0, 1024) }),
  },
  {
    id: 'ordinary.long-list-is-500',
    breaks: ['plugin.http.ordinary-requests'],
    summary: 'A list of nine rules or more returns 500.',
    override: ({ listBody, unexpected }) => ({
      listBody: (rules) => {
        if (rules.length > 8) throw unexpected(new Error('The buffer is too small.'))
        return listBody(rules)
      },
    }),
  },
  {
    id: 'ordinary.long-list-drops-connection',
    breaks: ['plugin.http.ordinary-requests'],
    summary: 'GET of a list of nine rules or more closes the connection without a response.',
    override: ({ listBody }) => ({
      listBody: (rules) => {
        if (rules.length > 8) throw new Dropped()
        return listBody(rules)
      },
    }),
  },
  {
    id: 'ordinary.status-of-long-list-is-500',
    breaks: ['plugin.http.ordinary-requests'],
    summary: 'GET /api/status returns 500 when the list has nine rules or more.',
    override: ({ statusBody, unexpected }) => ({
      statusBody: (facts) => {
        if (facts.rules.length > 8) throw unexpected(new Error('The buffer is too small.'))
        return statusBody(facts)
      },
    }),
  },
  {
    id: 'ordinary.addition-to-long-list-is-200',
    breaks: ['plugin.http.ordinary-requests'],
    summary: 'POST to a list of nine rules or more returns 200.',
    override: ({ addRule }) => {
      let isLong = false
      return {
        addRule: (rules, rule) => {
          isLong = rules.length > 8
          return addRule(rules, rule)
        },
        ...changesResponse(
          (status) => status === 201 && isLong,
          (response) => ({ ...response, status: 200 }),
        )(),
      }
    },
  },
  {
    id: 'ordinary.ninth-rule-replaces-the-first',
    breaks: ['plugin.http.ordinary-requests'],
    summary: 'A rule that is added to a list of eight rules or more replaces the first one.',
    override: ({ addRule }) => ({
      addRule: (rules, rule) => addRule(rules.length > 7 ? rules.slice(1) : rules, rule),
    }),
  },
  {
    id: 'ordinary.long-list-keeps-removed-rule',
    breaks: ['plugin.http.ordinary-requests'],
    summary: 'DELETE in a list of nine rules or more returns 200 and removes nothing.',
    override: ({ removeRule }) => ({
      removeRule: (rules, position) => (rules.length > 8 ? rules : removeRule(rules, position)),
    }),
  },
  {
    id: 'ordinary.status-is-500',
    breaks: ['plugin.http.ordinary-requests'],
    summary: 'GET /api/status returns 500.',
    override: ({ unexpected }) => ({
      statusBody: () => {
        throw unexpected(new Error('The status cannot be read.'))
      },
    }),
  },
  {
    id: 'ordinary.overflowing-login-breaks-list',
    breaks: ['plugin.http.ordinary-requests'],
    summary: 'After a POST with a follower above the range of a double, the list returns 500.',
    override: ({ loginNumeral, writtenList, unexpected }) => {
      let overflowed = false
      return {
        loginNumeral: (field, value) => {
          overflowed ||= field === 'follower' && /e\+?[3-9]\d\d/i.test(String(value))
          return loginNumeral(field, value)
        },
        writtenList: (cached, write) => {
          if (overflowed) throw unexpected(new Error('A number cannot be written.'))
          return writtenList(cached, write)
        },
      }
    },
  },
  {
    id: 'ordinary.overflow-breaks-list',
    breaks: ['plugin.http.ordinary-requests'],
    summary: 'A value above the range of a double is accepted, and the list returns 500 from then on.',
    override: ({ readValue, listBody, unexpected }) => {
      let overflowed = false
      return {
        readValue: (value) => {
          const read = /e\+?[3-9]\d\d/i.test(String(value))
          overflowed ||= read
          return read ? 1 : readValue(value)
        },
        listBody: (rules) => {
          if (overflowed) throw unexpected(new Error('A number cannot be written.'))
          return listBody(rules)
        },
      }
    },
  },
  {
    id: 'ordinary.underflow-is-zero',
    breaks: ['plugin.http.ordinary-requests'],
    summary: 'A value below the range of a double is accepted and listed as 0.',
    override: ({ readValue, ruleBody }) => {
      let underflowed = false
      return {
        readValue: (value) => {
          underflowed = /e-[3-9]\d\d/i.test(String(value))
          return underflowed ? 1 : readValue(value)
        },
        ruleBody: (rule, index) =>
          underflowed ? withMembers(ruleBody(rule, index), { value: 0 }) : ruleBody(rule, index),
      }
    },
  },
  {
    id: 'ordinary.long-list-gzip-cut-off',
    breaks: ['plugin.http.ordinary-requests'],
    summary: 'A list of more than 1 KiB is compressed where the client allows it, and the end is missing.',
    override: () => ({
      finish: (response, { headers }) => {
        const { body } = response
        if (body === undefined || body.length < 1024 || !/gzip/.test(String(headers['accept-encoding'])))
          return response
        const packed = gzipSync(body)
        return {
          ...response,
          body: packed.subarray(0, packed.length / 2),
          headers: { ...response.headers, 'Content-Encoding': 'gzip' },
        }
      },
    }),
  },
]
