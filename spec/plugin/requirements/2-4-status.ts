import type { Requirement } from '../../requirement.ts'

export const statusRequirements = [
  {
    id: 'plugin.status.ok',
    clause: '2.4',
    level: 'required',
    statement:
      'GET /api/status returns 200 with an object: plugin and version are strings, license_active is a boolean, rules_loaded is a non-negative integer, api_port is an integer from 1 to 65535.',
    consequence: 'Monitoring reports a working plugin as down, or cannot read its state.',
  },
  {
    id: 'plugin.status.rules-loaded-is-total',
    clause: '2.4',
    level: 'expected',
    statement: 'In the status, rules_loaded equals the total of the rule list, after every change as well.',
    consequence: 'Two figures for the same count disagree, and monitoring misses a lost rule.',
  },
  {
    id: 'plugin.status.api-port-is-own',
    clause: '2.4',
    level: 'expected',
    statement: 'In the status, api_port is the port on which the plugin listens.',
    consequence: 'A tool that uses the reported port connects to another server.',
  },
] as const satisfies readonly Requirement[]
