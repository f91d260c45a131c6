import { is, to, withStatus, withText } from '../../defect-parts/wire.ts'
import { type Defect, rows } from './defect.ts'
import { isFor, isFullWhen, needsNoKey, responds, returnsList } from './overrides.ts'

/** A server that needs no key for these requests once its list has been full. */
const openWhenFull = (...lines: readonly string[]) =>
  needsNoKey((asked, { isFull }) => isFull && isFor(...lines)(asked))

/** Clause 8: the capacity, the response when it is reached, and where the server listens. */
export const limitDefects: readonly Defect[] = [
  ...rows('plugin.auth.changes-need-key', {
    'capacity.disclosed-without-key The capacity is checked before the key.': openWhenFull('POST'),
  }),
  ...rows('plugin.auth.reads-need-key', {
    'capacity.full-list-needs-no-key GET /api/rules needs no key while the list is full.':
      openWhenFull('GET /api/rules'),
    'capacity.full-status-needs-no-key GET /api/status needs no key while the list is full.':
      openWhenFull('GET /api/status'),
  }),
  ...rows('plugin.capacity.lists-all', {
    'capacity.last-not-listed A full list does not show its last rule.': returnsList((rules, { capacity }) => ({
      rules: rules.slice(0, capacity - 1),
    })),
    'capacity.total-too-low The total of a full list is one too low.': returnsList((rules, { capacity }) => ({
      total: Math.min(rules.length, capacity - 1),
    })),
  }),
  ...rows('plugin.capacity.exact', {
    'capacity.one-too-few The list is full with one rule less than its capacity.': isFullWhen((isFull) => isFull(-1)),
    'capacity.one-too-many The list accepts one rule more than its capacity.': isFullWhen((isFull) => isFull(1)),
  }),
  ...rows('plugin.capacity.survives-restart', {
    'capacity.last-rule-not-loaded After a restart there is room for one rule less, and the last rule of a full list is not loaded.':
      (hooks) => ({
        ...isFullWhen((isFull, { foundFile }) => isFull(foundFile ? -1 : 0))(hooks),
        fitFileToCapacity: (rules, capacity) => rules.slice(0, capacity - 1),
      }),
    'capacity.last-rule-loaded-as-first A full list is loaded from the file with its last rule also in place of the first.':
      ({ fitFileToCapacity }) => ({
        fitFileToCapacity: (rules, capacity) => {
          const fitted = fitFileToCapacity(rules, capacity)
          return fitted.length < capacity ? fitted : [...fitted.slice(-1), ...fitted.slice(1)]
        },
      }),
    'capacity.loaded-rules-not-counted Rules from the file do not count, so a full list accepts more rules after a restart.':
      isFullWhen((isFull, { loaded }) => isFull(loaded.length)),
  }),
  ...rows('plugin.limits.default-port', {
    'limits.wrong-default-port Without API_Port the server listens on port 8444.': () => ({ defaultPort: 8444 }),
    'limits.default-port-unavailable On the default port every response has the status 503.': responds(
      to(''),
      (response, { socket }, { defaultPort }) =>
        socket.localPort === defaultPort ? withStatus(503)(response) : response,
    ),
  }),
  ...rows(['plugin.capacity.answers-500', 'plugin.add.leaves-others'], {
    'capacity.rejection-returns-200 POST to a full list returns 200 with success: false.': responds(
      is(500, 'POST'),
      (response, _, { bodyHeaders }) =>
        withText({ ...response, status: 200, headers: bodyHeaders() }, '{"success":false}', 'application/json'),
    ),
  }),
]
