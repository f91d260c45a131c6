import type { PluginRequest } from '../session/plugin.ts'
import type { ComparisonStep } from './comparison-step.ts'

const wrong = 'not-the-key'

type ReadStep = Omit<ComparisonStep, 'risk' | 'play'> & {
  readonly request: PluginRequest | ((key: string) => PluginRequest)
}

const get = (path: string, more: Partial<PluginRequest> = {}): PluginRequest => ({ method: 'GET', path, ...more })

/** The status with these headers in place of the key. */
const withHeaders = (headers: (key: string) => Record<string, string>) => (key: string) =>
  get('/api/status', { key: null, headers: headers(key) })

const reads: readonly ReadStep[] = [
  { id: 'status', requirements: ['plugin.status.*'], request: get('/api/status') },
  {
    id: 'list',
    question: 'plugin.index.base',
    requirements: ['plugin.list.*', 'plugin.rule.*'],
    request: get('/api/rules'),
  },
  {
    id: 'status.bearer',
    requirements: ['plugin.auth.*'],
    request: get('/api/status', { as: 'bearer' }),
  },
  {
    id: 'status.no-key',
    question: 'plugin.auth.challenge',
    requirements: ['plugin.auth.reads-need-key', 'plugin.auth.*', 'plugin.errors.*'],
    request: get('/api/status', { key: null }),
  },
  {
    id: 'list.wrong-key',
    requirements: ['plugin.auth.reads-need-key', 'plugin.auth.*'],
    request: get('/api/rules', { key: wrong }),
  },
  {
    id: 'unknown-path.no-key',
    question: 'plugin.auth.before-path',
    requirements: ['plugin.auth.*'],
    request: get('/api/unknown', { key: null }),
  },
  { id: 'unknown-path', requirements: ['plugin.path.*', 'plugin.errors.*'], request: get('/api/unknown') },
  {
    id: 'two-keys.first',
    question: 'plugin.auth.two-headers',
    requirements: ['plugin.auth.*'],
    request: withHeaders((key) => ({ 'X-API-Key': key, Authorization: `Bearer ${wrong}` })),
  },
  {
    id: 'two-keys.second',
    question: 'plugin.auth.two-headers',
    requirements: ['plugin.auth.*'],
    request: withHeaders((key) => ({ 'X-API-Key': wrong, Authorization: `Bearer ${key}` })),
  },
  {
    id: 'bearer.lower-case',
    question: 'plugin.auth.bearer-case',
    requirements: ['plugin.auth.*'],
    request: withHeaders((key) => ({ Authorization: `bearer ${key}` })),
  },
  {
    id: 'bearer.two-spaces',
    question: 'plugin.auth.bearer-spaces',
    requirements: ['plugin.auth.*'],
    request: withHeaders((key) => ({ Authorization: `Bearer  ${key}` })),
  },
  {
    id: 'head',
    question: 'plugin.method.head',
    requirements: ['plugin.method.*'],
    request: { method: 'HEAD', path: '/api/status' },
  },
  {
    id: 'options',
    question: 'plugin.method.options',
    requirements: ['plugin.method.*'],
    request: { method: 'OPTIONS', path: '/api/status' },
  },
  {
    id: 'path.trailing-slash',
    question: 'plugin.path.trailing-slash',
    requirements: ['plugin.path.*'],
    request: get('/api/status/'),
  },
  {
    id: 'path.double-slash',
    question: 'plugin.path.double-slash',
    requirements: ['plugin.path.*'],
    request: get('/api//status'),
  },
  { id: 'path.case', question: 'plugin.path.case', requirements: ['plugin.path.*'], request: get('/API/Status') },
  {
    id: 'path.query',
    question: 'plugin.path.query',
    requirements: ['plugin.path.*'],
    request: get('/api/status?x=1'),
  },
  {
    id: 'path.percent-encoding',
    question: 'plugin.path.percent-encoding',
    requirements: ['plugin.path.*'],
    request: get('/api/%73tatus'),
  },
]

/** Steps that only read. */
export const readSteps: readonly ComparisonStep[] = reads.map(({ request, ...step }) => ({
  ...step,
  risk: 'read',
  play: (pair) => pair.send(request),
}))
