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
]
