import { sameContent } from '../model/rule.ts'
import { anyCopyName } from '../store/copy-parameters.ts'
import { type Defect, masked, maskedRows, rows } from './defect.ts'
import type { Known } from './known.ts'
import { duplicatesRejected, everyPairOnce } from './masks.ts'
import { answers, result, returnsStatus } from './overrides.ts'

const copiesOf = ({ parameters }: Known) => Object.keys(parameters).filter((name) => anyCopyName.test(name)).length

/** Clause 2.4: GET /api/status. */
export const statusDefects: readonly Defect[] = [
  ...rows('plugin.status.ok', {
    'status.in-an-array The status is an array with one object.': result('statusBody')((body) => [body]),
    'status.returns-203 GET /api/status returns 203.': answers('GET /api/status', { status: 203 }),
    'status.plugin-named-name The name of the plugin is in the member name instead of plugin.': () =>
      returnsStatus(({ plugin }) => ({ plugin: undefined, name: plugin })),
    'status.version-as-number The version is a number.': returnsStatus(({ version }) => ({ version: Number(version) })),
    'status.license-as-number license_active is 1 or 0.': () =>
      returnsStatus(({ licenseActive }) => ({ license_active: licenseActive ? 1 : 0 })),
    'status.rules-loaded-as-string rules_loaded is a string.': () =>
      returnsStatus(({ rules }) => ({ rules_loaded: String(rules.length) })),
    'status.rules-loaded-negative-before-first-list rules_loaded is -1 until the list is first read.': () =>
      returnsStatus(({ rules }, { lists }) => ({ rules_loaded: lists === 0 ? -1 : rules.length })),
  }),
  ...rows('plugin.status.rules-loaded-is-total', {
    'status.rules-loaded-counts-mult-only rules_loaded counts only the rules with the mode mult.': () =>
      returnsStatus(({ rules }) => ({ rules_loaded: rules.filter(({ mode }) => mode === 'mult').length })),
    'status.rules-loaded-counts-pairs rules_loaded counts rules with the same master and follower once.': masked(
      everyPairOnce,
    )(
      returnsStatus(({ rules }) => ({
        rules_loaded: new Set(rules.map(({ master, follower }) => `${master} ${follower}`)).size,
      })),
    ),
    'status.rules-loaded-counts-identical-rules-once rules_loaded counts identical rules once.': masked(
      duplicatesRejected,
    )(
      returnsStatus(({ rules }) => ({
        rules_loaded: rules.filter((rule, place) => rules.findIndex((one) => sameContent(one, rule)) === place).length,
      })),
    ),
    'status.rules-loaded-counts-rejected rules_loaded counts a rule that was rejected because the list was full.':
      returnsStatus(({ rules }, { wasFull }) => ({ rules_loaded: rules.length + (wasFull ? 1 : 0) })),
    'status.rules-loaded-fixed-at-start rules_loaded is counted at the start and never updated.': () =>
      returnsStatus((_, { loaded, copied }) => ({ rules_loaded: loaded.length + copied.length })),
    'status.rules-loaded-never-decreases rules_loaded increases with each POST and does not decrease with a DELETE.':
      returnsStatus((_, { most }) => ({ rules_loaded: most })),
    'status.rules-loaded-never-decreases-after-a-load After a start with a rules file, rules_loaded does not decrease with a DELETE.':
      returnsStatus(({ rules }, { foundFile, most }) => ({ rules_loaded: foundFile ? most : rules.length })),
    'status.rules-loaded-counts-ignored-copies rules_loaded counts the Copy_N that a start with a rules file ignores.':
      returnsStatus(({ rules }, known) => ({ rules_loaded: rules.length + (known.foundFile ? copiesOf(known) : 0) })),
  }),
  ...maskedRows(
    [{ answers: { 'plugin.start.copy-unreadable': 'refuses-to-start' } }],
    'plugin.status.rules-loaded-is-total',
    {
      'status.rules-loaded-counts-unreadable rules_loaded counts the Copy_N that cannot be read.': () =>
        returnsStatus(({ rules }, known) => ({
          rules_loaded: rules.length + (known.foundFile ? 0 : Math.max(0, copiesOf(known) - known.copied.length)),
        })),
    },
  ),
  ...rows(['plugin.status.ok', 'plugin.status.api-port-is-own'], {
    'status.port-zero api_port is 0.': returnsStatus(() => ({ api_port: 0 })),
    'status.port-as-string api_port is a string.': returnsStatus(({ port }) => ({ api_port: String(port) })),
  }),
  ...rows('plugin.status.api-port-is-own', {
    'status.port-always-default api_port is 8443, even if API_Port differs.': returnsStatus(() => ({ api_port: 8443 })),
  }),
]
