import type { StageName } from '../../server/track.ts'

/** What is known of a request when it has been answered. */
export interface Decided {
  /** Null where there was no answer. */
  readonly status: number | null
  readonly method: string
  readonly path: string
  readonly stage: StageName | null
  readonly operation: string | null
  /** What the client was told, or an empty text. */
  readonly reason: string
}

export interface Decision {
  readonly decision: string
  readonly because: readonly string[]
}

interface Reason {
  readonly when: (decided: Decided) => boolean
  readonly because: readonly string[]
}

const needsKey: Readonly<Record<string, string>> = {
  'GET /api/status': 'plugin.auth.status-needs-key',
  'GET /api/rules': 'plugin.auth.list-needs-key',
  'POST /api/rules': 'plugin.auth.add-needs-key',
}

const isRule = (path: string) => /^\/api\/rules\/[^/]+$/.test(path)
const answered = (operation: string, status: number, because: readonly string[]): Reason => ({
  when: (decided) => decided.operation === operation && decided.status === status,
  because,
})

/** The first that applies says where in the specification an answer comes from. */
const reasons: readonly Reason[] = [
  answered('read-status', 200, ['plugin.status.ok']),
  answered('list-rules', 200, ['plugin.list.ok', 'plugin.list.all-active']),
  answered('add-rule', 201, ['plugin.add.created', 'plugin.add.answer-index', 'plugin.persist.added']),
  answered('remove-rule', 200, [
    'plugin.delete.removes-that-rule',
    'plugin.delete.shifts-later',
    'plugin.persist.removed',
  ]),
  answered('show-methods', 200, ['plugin.method.options']),
  answered('show-methods', 204, ['plugin.method.options']),
  { when: ({ status, path }) => status === 404 && isRule(path), because: ['plugin.errors.404-index'] },
  { when: ({ status }) => status === 404, because: ['plugin.path.unknown', 'plugin.errors.404-path'] },
  {
    when: ({ status, path }) => status === 405 && isRule(path),
    because: ['plugin.method.rule', 'plugin.method.allow'],
  },
  { when: ({ status, path }) => status === 405 && path === '/api/status', because: ['plugin.method.status'] },
  { when: ({ status }) => status === 405, because: ['plugin.method.rules', 'plugin.method.allow'] },
  { when: ({ status, stage }) => status === 400 && stage === 'validate', because: ['plugin.errors.400'] },
  { when: ({ status, stage }) => status === 500 && stage === 'apply', because: ['plugin.capacity.answers-500'] },
  { when: ({ status }) => status === 500, because: ['plugin.errors.500'] },
]

/** Why a request was answered as it was. */
export function decide(decided: Decided): Decision {
  const { status, method, path, stage, reason } = decided
  const text = reason === '' ? '' : `: ${reason}`
  if (status === 401) {
    const operation =
      isRule(path) && method === 'DELETE' ? 'plugin.auth.delete-needs-key' : needsKey[`${method} ${path}`]
    return { decision: `refused for its key${text}`, because: ['plugin.errors.401', ...(operation ? [operation] : [])] }
  }
  const because = reasons.find(({ when }) => when(decided))?.because ?? []
  if (status === null) return { decision: 'no answer', because: [] }
  if (status < 400) return { decision: 'served', because }
  return { decision: `refused${stage === null ? '' : ` at the stage ${stage}`}${text}`, because }
}
