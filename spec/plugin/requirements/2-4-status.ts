import { expected, required, requirements } from '../../clause.ts'

export const statusRequirements = requirements('2.4', {
  'plugin.status.ok': required(
    'GET /api/status returns 200 with an object: plugin and version are strings, license_active is a boolean, rules_loaded is a non-negative integer, api_port is an integer from 1 to 65535.',
    'Monitoring reports a working plugin as down, or cannot read its state.',
  ),
  'plugin.status.rules-loaded-is-total': expected(
    'In the status, rules_loaded equals the total of the rule list, after every change as well.',
    'Two figures for the same count disagree, and monitoring misses a lost rule.',
  ),
  'plugin.status.api-port-is-own': expected(
    'In the status, api_port is the port on which the plugin listens.',
    'A tool that uses the reported port connects to another server.',
  ),
})
