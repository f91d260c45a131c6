import { reject } from '../../defect-parts/reject.ts'
import { asks, changesResponse } from '../../defect-parts/wire.ts'
import type { Defect } from './defect.ts'

/** A server that changes a path before it looks it up. */
function rewrites(change: (path: string) => string): Defect['override'] {
  return ({ splitTarget }) => ({
    splitTarget: (target) => {
      const { path, query } = splitTarget(target)
      return { path: change(path), query }
    },
  })
}

/** A server that changes a segment of a path before it compares it with a known one. */
function comparesSegment(change: (segment: string, known: string) => string): Defect['override'] {
  return ({ sameSegment }) => ({
    sameSegment: (segment, known) => sameSegment(change(segment, known), known),
  })
}

/** Clauses 7 and 9: unknown endpoints. */
export const pathDefects: readonly Defect[] = [
  {
    id: 'path.compared-by-its-beginning',
    breaks: ['plugin.path.unknown'],
    summary: 'A path that begins with a known path is accepted: /api/statuses is the status.',
    override: () => ({ sameSegment: (segment, known) => segment.startsWith(known) }),
  },
  {
    id: 'path.first-segment-compared-by-its-beginning',
    breaks: ['plugin.path.unknown'],
    summary: 'A first segment that begins with api is accepted: /apis/rules is the list.',
    override: comparesSegment((segment, known) => (known === 'api' ? segment.slice(0, 3) : segment)),
  },
  {
    id: 'path.first-segment-may-break-off',
    breaks: ['plugin.path.unknown'],
    summary: 'A prefix of the first segment is accepted: /ap/rules is the list.',
    override: ({ sameSegment }) => ({
      sameSegment: (segment, known) =>
        sameSegment(segment, known) || (known === 'api' && segment !== '' && known.startsWith(segment)),
    }),
  },
  {
    id: 'path.first-segment-compared-from-its-end',
    breaks: ['plugin.path.unknown'],
    summary: 'A first segment that ends in api is accepted: /xapi/status is the status.',
    override: comparesSegment((segment, known) => (known === 'api' ? segment.slice(-3) : segment)),
  },
  {
    id: 'path.api-may-be-left-out',
    breaks: ['plugin.path.unknown'],
    summary: 'The prefix /api is optional.',
    override: rewrites((path) => (/^\/(rules|status)\b/.test(path) ? `/api${path}` : path)),
  },
  {
    id: 'path.file-ending-ignored',
    breaks: ['plugin.path.unknown'],
    summary: 'A file extension like .json in the path is ignored.',
    override: rewrites((path) => path.replace(/\.json$/, '')),
  },
  {
    id: 'path.singular-known-too',
    breaks: ['plugin.path.unknown'],
    summary: '/api/rule is treated as /api/rules.',
    override: comparesSegment((segment) => (segment === 'rule' ? 'rules' : segment)),
  },
  {
    id: 'path.root-greets',
    breaks: ['plugin.path.root'],
    summary: 'The root returns 200 with a greeting.',
    override: ({ encodeJson }) =>
      changesResponse(
        (_, { url }) => url === '/',
        (response) => ({ ...response, status: 200, body: encodeJson({ service: 'Service Copy Trade' }) }),
      )(),
  },
  {
    id: 'path.unknown-is-400',
    breaks: ['plugin.path.unknown'],
    summary: 'An unknown path returns 400.',
    override: () => ({ unknownEndpoint: () => reject(400, 'Unknown endpoint.') }),
  },
  {
    id: 'path.unknown-is-405-for-changes',
    breaks: ['plugin.path.unknown'],
    summary: 'DELETE of an unknown path returns 405, other methods return 404.',
    override: changesResponse(
      (status, request) => status === 404 && asks(request, 'DELETE') && !asks(request, 'DELETE /api/rules/'),
      (response) => ({ ...response, status: 405 }),
    ),
  },
  {
    id: 'path.rest-behind-rule-ignored',
    breaks: ['plugin.path.unknown'],
    summary: 'Path segments after the index are ignored.',
    override: rewrites((path) => path.split('/').slice(0, 4).join('/')),
  },
  {
    id: 'path.index-is-the-last-segment',
    breaks: ['plugin.path.unknown'],
    summary: 'The last segment of any path below /api/rules is the index.',
    override: rewrites((path) => path.replace(/^\/api\/rules\/.*\//, '/api/rules/')),
  },
  {
    id: 'path.version-prefix-known',
    breaks: ['plugin.path.unknown'],
    summary: '/api/v1 is treated as /api.',
    override: rewrites((path) => path.replace(/^\/api\/v\d+\//, '/api/')),
  },
  {
    id: 'path.first-segment-is-not-looked-at',
    breaks: ['plugin.path.unknown'],
    summary: 'The first segment of a path is ignored: /v1/rules is the list.',
    override: comparesSegment((segment, known) => (known === 'api' ? known : segment)),
  },
  {
    id: 'path.known-by-its-end',
    breaks: ['plugin.path.unknown'],
    summary: 'Segments before the last /api are ignored.',
    override: rewrites((path) => path.slice(Math.max(0, path.lastIndexOf('/api/')))),
  },
  {
    id: 'path.rest-behind-status-ignored',
    breaks: ['plugin.path.unknown'],
    summary: 'Path segments after /api/status are ignored.',
    override: rewrites((path) => (path.startsWith('/api/status/') ? '/api/status' : path)),
  },
]
