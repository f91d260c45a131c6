import type { Requirement } from '../../requirement.ts'

export const statusRequirements = [
  {
    id: 'plugin.status.ok',
    clause: '4.2',
    level: 'required',
    statement: 'GET /api/status is answered with 200 and a JSON object.',
    consequence: 'Monitoring takes a working plugin for a dead one.',
  },
  {
    id: 'plugin.status.plugin',
    clause: '2.4',
    level: 'required',
    statement: 'The status has the member plugin, a string.',
    consequence: 'An operator cannot tell which plugin answers.',
  },
  {
    id: 'plugin.status.version',
    clause: '2.4',
    level: 'required',
    statement: 'The status has the member version, a string.',
    consequence: 'A client cannot tell which version it talks to; a number such as 1.10 loses its last digit.',
  },
  {
    id: 'plugin.status.license-active',
    clause: '2.4',
    level: 'required',
    statement: 'The status has the member license_active, a boolean.',
    consequence: 'An expired licence goes unnoticed until copying stops.',
  },
  {
    id: 'plugin.status.rules-loaded',
    clause: '2.4',
    level: 'required',
    statement: 'The status has the member rules_loaded, an integer that is not negative.',
    consequence: 'Monitoring cannot compare the number of rules with what it should be.',
  },
  {
    id: 'plugin.status.api-port',
    clause: '2.4',
    level: 'required',
    statement: 'The status has the member api_port, an integer from 1 to 65535.',
    consequence: 'A tool that configures itself from the status connects to nothing.',
  },
  {
    id: 'plugin.status.rules-loaded-is-total',
    clause: '2.4',
    level: 'expected',
    statement: 'rules_loaded equals the total of the rule list.',
    consequence: 'Two numbers for one thing: an alarm that counts rules is wrong.',
  },
  {
    id: 'plugin.status.rules-loaded-follows',
    clause: '2.4',
    level: 'expected',
    statement: 'rules_loaded follows every rule that is added or removed.',
    consequence: 'The number was right at start-up only, and monitoring never notices a lost rule.',
  },
  {
    id: 'plugin.status.api-port-is-own',
    clause: '2.4',
    level: 'expected',
    statement: 'api_port is the port at which the plugin answers.',
    consequence: 'A tool that follows the status talks to another server.',
  },
] as const satisfies readonly Requirement[]
