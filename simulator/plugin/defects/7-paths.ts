import { reject } from '../../defect-parts/reject.ts'
import { changesResponse, is, to, withStatus } from '../../defect-parts/wire.ts'
import { type Defect, rows } from './defect.ts'

/** A server that changes a path before it looks it up. */
function rewrites(change: (path: string) => string): Defect['override'] {
  return ({ splitTarget }) => ({
    splitTarget: (target) => {
      const { path, query } = splitTarget(target)
      return { path: change(path), query }
    },
  })
}

/** A server that changes the first segment of a path before it compares it with `api`. */
function readsFirst(change: (segment: string) => string): Defect['override'] {
  return ({ sameSegment }) => ({
    sameSegment: (segment, known) => sameSegment(known === 'api' ? change(segment) : segment, known),
  })
}

/** Clauses 7 and 9: unknown endpoints. */
export const pathDefects: readonly Defect[] = [
  ...rows('plugin.path.unknown', {
    'path.compared-by-its-beginning': [
      'A path that begins with a known path is accepted: /api/statuses is the status.',
      () => ({ sameSegment: (segment, known) => segment.startsWith(known) }),
    ],
    'path.first-segment-compared-by-its-beginning': [
      'A first segment that begins with api is accepted: /apis/rules is the list.',
      readsFirst((segment) => segment.slice(0, 3)),
    ],
    'path.first-segment-may-break-off': [
      'A prefix of the first segment is accepted: /ap/rules is the list.',
      readsFirst((segment) => (segment !== '' && 'api'.startsWith(segment) ? 'api' : segment)),
    ],
    'path.first-segment-compared-from-its-end': [
      'A first segment that ends in api is accepted: /xapi/status is the status.',
      readsFirst((segment) => segment.slice(-3)),
    ],
    'path.api-may-be-left-out': [
      'The prefix /api is optional.',
      rewrites((path) => (/^\/(rules|status)\b/.test(path) ? `/api${path}` : path)),
    ],
    'path.file-ending-ignored': [
      'A file extension like .json in the path is ignored.',
      rewrites((path) => path.replace(/\.json$/, '')),
    ],
    'path.singular-known-too': [
      '/api/rule is treated as /api/rules.',
      ({ sameSegment }) => ({
        sameSegment: (segment, known) => sameSegment(segment === 'rule' ? 'rules' : segment, known),
      }),
    ],
    'path.unknown-is-400': [
      'An unknown path returns 400.',
      () => ({ unknownEndpoint: () => reject(400, 'Unknown endpoint.') }),
    ],
    'path.unknown-is-405-for-changes': [
      'DELETE of an unknown path returns 405, other methods return 404.',
      changesResponse(is(404, /^DELETE (?!\/api\/rules\/)/), withStatus(405)),
    ],
    'path.rest-behind-rule-ignored': [
      'Path segments after the index are ignored.',
      rewrites((path) => path.split('/').slice(0, 4).join('/')),
    ],
    'path.index-is-the-last-segment': [
      'The last segment of any path below /api/rules is the index.',
      rewrites((path) => path.replace(/^\/api\/rules\/.*\//, '/api/rules/')),
    ],
    'path.version-prefix-known': [
      '/api/v1 is treated as /api.',
      rewrites((path) => path.replace(/^\/api\/v\d+\//, '/api/')),
    ],
    'path.known-by-its-end': [
      'Segments before the last /api are ignored.',
      rewrites((path) => path.slice(Math.max(0, path.lastIndexOf('/api/')))),
    ],
    'path.rest-behind-status-ignored': [
      'Path segments after /api/status are ignored.',
      rewrites((path) => (path.startsWith('/api/status/') ? '/api/status' : path)),
    ],
  }),
  ...rows('plugin.path.root', {
    'path.root-greets': [
      'The root returns 200 with a greeting.',
      changesResponse(to(/^\w+ \/$/), (response) => ({
        ...response,
        status: 200,
        body: Buffer.from('{"service":"Service Copy Trade"}'),
      })),
    ],
  }),
]
