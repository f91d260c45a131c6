import type { Requirement } from '../../requirement.ts'

export const statusRequirements = [
  {
    id: 'plugin.status.ok',
    clause: '4.2',
    level: 'required',
    statement: 'GET /api/status returns 200 with a JSON object.',
    consequence: 'Monitoring reports a working plugin as down.',
  },
  {
    id: 'plugin.status.plugin',
    clause: '2.4',
    level: 'required',
    statement: 'In the status, plugin is a string.',
    consequence: 'An operator cannot tell which plugin responds.',
  },
  {
    id: 'plugin.status.version',
    clause: '2.4',
    level: 'required',
    statement: 'In the status, version is a string.',
    consequence: 'A client cannot tell which version it talks to: as a number, 1.10 becomes 1.1.',
  },
  {
    id: 'plugin.status.license-active',
    clause: '2.4',
    level: 'required',
    statement: 'In the status, license_active is a boolean.',
    consequence: 'An expired licence goes unnoticed until copying stops.',
  },
  {
    id: 'plugin.status.rules-loaded',
    clause: '2.4',
    level: 'required',
    statement: 'In the status, rules_loaded is a non-negative integer.',
    consequence: 'Monitoring cannot compare the number of rules with the expected number.',
  },
  {
    id: 'plugin.status.api-port',
    clause: '2.4',
    level: 'required',
    statement: 'In the status, api_port is an integer from 1 to 65535.',
    consequence: 'A tool that configures itself from the status cannot connect.',
  },
  {
    id: 'plugin.status.rules-loaded-is-total',
    clause: '2.4',
    level: 'expected',
    statement: 'In the status, rules_loaded equals the total of the rule list.',
    consequence: 'Two figures for the same count disagree, and alerts on the number of rules are wrong.',
  },
  {
    id: 'plugin.status.rules-loaded-follows',
    clause: '2.4',
    level: 'expected',
    statement: 'In the status, rules_loaded changes with every rule that is added or removed.',
    consequence: 'The count is correct only at startup, and monitoring misses a lost rule.',
  },
  {
    id: 'plugin.status.api-port-is-own',
    clause: '2.4',
    level: 'expected',
    statement: 'In the status, api_port is the port on which the plugin listens.',
    consequence: 'A tool that uses the reported port connects to another server.',
  },
] as const satisfies readonly Requirement[]
