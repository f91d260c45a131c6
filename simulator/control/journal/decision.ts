import type { StageName } from '../../server/track.ts'

/** What is known of a request after its response. */
export interface AnsweredFacts {
  /** Null if there was no response. */
  readonly status: number | null
  readonly method: string
  readonly path: string
  readonly stage: StageName | null
  readonly operation: string | null
  /** The error message, or an empty string. */
  readonly reason: string
  /** Id of the fault that was played on it. */
  readonly fault: string | null
}

export interface Decision {
  readonly decision: string
  readonly because: readonly string[]
}

interface Reason {
  readonly when: (decided: AnsweredFacts) => boolean
  readonly because: readonly string[]
}

const needsKey: Readonly<Record<string, string>> = {
  'GET /api/status': 'plugin.auth.reads-need-key',
  'GET /api/rules': 'plugin.auth.reads-need-key',
  'POST /api/rules': 'plugin.auth.changes-need-key',
}

/** If the path or the method is wrong too, the profile decides which error comes first. */
const keyFirst = ['plugin.errors.every', 'plugin.auth.before-path', 'plugin.auth.before-method']

const isRule = (path: string) => /^\/api\/rules\/[^/]+$/.test(path)
const answered = (operation: string, status: number, because: readonly string[]): Reason => ({
  when: (decided) => decided.operation === operation && decided.status === status,
  because,
})

/** The first rule that applies gives the clauses that the response follows from. */
const reasons: readonly Reason[] = [
  { when: ({ status, stage }) => status === 401 && stage === 'route', because: keyFirst },
  {
    when: ({ status, path, method }) => status === 401 && isRule(path) && method === 'DELETE',
    because: ['plugin.errors.every', 'plugin.auth.changes-need-key'],
  },
  ...Object.entries(needsKey).map(([asked, requirement]) => ({
    when: ({ status, path, method }: AnsweredFacts) => status === 401 && `${method} ${path}` === asked,
    because: ['plugin.errors.every', requirement],
  })),
  { when: ({ status }) => status === 401, because: ['plugin.errors.every'] },
  { when: ({ status, method }) => status === 200 && method === 'HEAD', because: ['plugin.method.head'] },
  answered('read-status', 200, ['plugin.status.ok']),
  answered('list-rules', 200, ['plugin.list.ok', 'plugin.list.all-active']),
  answered('add-rule', 201, ['plugin.add.created', 'plugin.persist.list']),
  answered('remove-rule', 200, ['plugin.delete.keeps-order', 'plugin.persist.list']),
  answered('show-methods', 200, ['plugin.method.options']),
  answered('show-methods', 204, ['plugin.method.options']),
  { when: ({ status }) => status === 301 || status === 308, because: ['plugin.path.trailing-slash'] },
  { when: ({ status, path }) => status === 404 && isRule(path), because: ['plugin.delete.index-past-end'] },
  { when: ({ status }) => status === 404, because: ['plugin.path.unknown'] },
  {
    when: ({ status, path }) => status === 405 && isRule(path),
    because: ['plugin.method.rule', 'plugin.method.allow'],
  },
  { when: ({ status }) => status === 405, because: ['plugin.method.not-allowed', 'plugin.method.allow'] },
  { when: ({ status }) => status === 413, because: ['plugin.body.size-limit'] },
  {
    when: ({ status }) => status === 415,
    because: ['plugin.body.content-type-absent', 'plugin.body.content-type-wrong'],
  },
  {
    when: ({ status, stage }) => status !== null && status >= 400 && status < 500 && stage === 'apply',
    because: ['plugin.add.duplicate', 'plugin.add.same-pair', 'plugin.add.self-copy'],
  },
  { when: ({ status }) => status === 400, because: ['plugin.errors.every'] },
  { when: ({ status, stage }) => status === 500 && stage === 'apply', because: ['plugin.capacity.answers-500'] },
  { when: ({ status }) => status === 500, because: ['plugin.errors.every'] },
]

/** All ids that a decision can follow from. */
export const reasonIds: readonly string[] = reasons.flatMap(({ because }) => because)

/** Why a request got its response. */
export function decide(decided: AnsweredFacts): Decision {
  const { status, stage, reason, fault } = decided
  const because = status === null ? [] : (reasons.find(({ when }) => when(decided))?.because ?? [])
  const decision = `${outcomeText(status, stage)}${reason === '' ? '' : `: ${reason}`}`
  return { decision: fault === null ? decision : `${decision} (fault ${fault} was played)`, because }
}

function outcomeText(status: number | null, stage: StageName | null): string {
  if (status === null) return 'no response'
  if (status < 400) return 'served'
  if (status === 401) return 'rejected: key'
  return stage === null ? 'rejected' : `rejected in stage ${stage}`
}
