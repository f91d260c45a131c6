import { setTimeout as pause } from 'node:timers/promises'
import { connectionLimit } from '../../defect-parts/connection-limit.ts'
import { reject } from '../../defect-parts/reject.ts'
import { errorAgain, sharedBuffer } from '../../defect-parts/response-mix-up.ts'
import { textOf, withText } from '../../defect-parts/wire.ts'
import type { PlatformDefect } from './defect.ts'
import { withoutTimelyList } from './masks.ts'

/** Long enough for requests that were sent at the same time to meet. */
const writingTakesMs = 20

/** HTTP itself: connections, bodies in chunks, several clients at once. */
export const httpDefects: readonly PlatformDefect[] = [
  {
    id: 'platform.http.error-answers-the-next-request-too',
    breaks: ['platform.http.keep-alive'],
    summary: 'After an error, the next request on the connection gets the same response.',
    override: () => ({ finish: errorAgain() }),
  },
  {
    id: 'platform.http.chunks-not-read',
    breaks: ['platform.http.chunked-body'],
    summary: 'A body without Content-Length returns 411.',
    override: ({ asksForKey }) => ({
      asksForKey: (received) =>
        received.headers['transfer-encoding'] === undefined
          ? asksForKey(received)
          : reject(411, 'The length is missing.'),
    }),
  },
  {
    id: 'platform.http.answers-share-a-buffer',
    breaks: ['platform.http.parallel-reads'],
    summary: 'With more than four open connections, a request gets the response to another one.',
    override: () => ({ finish: sharedBuffer(4) }),
  },
  {
    id: 'platform.http.crowd-turned-away',
    breaks: ['platform.http.parallel-reads'],
    summary: 'With more than four open connections, requests return 503.',
    override: () => {
      const isOverLimit = connectionLimit(4)
      return { finish: (response, { socket }) => (isOverLimit(socket) ? { ...response, status: 503 } : response) }
    },
  },
  {
    id: 'platform.http.crowd-gets-another-account',
    breaks: ['platform.http.parallel-reads'],
    summary: 'With more than four open connections, the account has the id of another one.',
    override: () => {
      const isOverLimit = connectionLimit(4)
      return {
        finish: (response, { socket, method }) => {
          if (!isOverLimit(socket) || method !== 'GET' || response.status !== 200) return response
          const text = textOf(response).replace(/"id":\s*"[^"]*"/, '"id":"acc_another"')
          return withText(response, text, response.headers['Content-Type'])
        },
      }
    },
  },
  {
    id: 'platform.robust.update-lost',
    breaks: ['platform.robust.parallel-creations'],
    maskedBy: withoutTimelyList,
    summary: 'Concurrent creations overwrite each other, so the last one wins.',
    override: ({ save }) => ({
      serialise: (_, change) => change(),
      save: async (write) => {
        await pause(writingTakesMs)
        await save(write)
      },
    }),
  },
  {
    id: 'platform.robust.second-writer-turned-away',
    breaks: ['platform.robust.parallel-creations'],
    summary: 'A creation returns 503 while another account is being saved.',
    override: ({ serialise, save }) => {
      let saving = false
      return {
        serialise: (mutex, change) => (saving ? reject(503, 'An account is being saved.') : serialise(mutex, change)),
        save: async (write) => {
          saving = true
          await pause(writingTakesMs)
          saving = false
          await save(write)
        },
      }
    },
  },
  {
    id: 'platform.robust.first-writer-wins',
    breaks: ['platform.robust.parallel-creations'],
    maskedBy: withoutTimelyList,
    summary: 'A creation returns success, but is lost, while another account is being saved.',
    override: ({ addAccount, save }) => {
      let saving = false
      return {
        serialise: (_, change) => change(),
        addAccount: (accounts, account) => (saving ? accounts : addAccount(accounts, account)),
        save: async (write) => {
          if (!saving) {
            saving = true
            await pause(writingTakesMs)
            saving = false
          }
          await save(write)
        },
      }
    },
  },
  {
    id: 'platform.robust.crowd-refused-but-stored',
    breaks: ['platform.robust.parallel-creations'],
    summary: 'With more than four open connections, a creation returns 503, but is made.',
    override: () => {
      const isOverLimit = connectionLimit(4)
      return {
        finish: (response, { socket, method }) =>
          method === 'POST' && isOverLimit(socket) ? { ...response, status: 503 } : response,
      }
    },
  },
]
