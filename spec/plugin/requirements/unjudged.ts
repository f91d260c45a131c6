import type { Unjudged } from '../../requirement.ts'

/** Sentences about the plugin that no check can verify from outside. */
export const pluginUnjudged = [
  {
    id: 'plugin.unjudged.runs-in-trading-server',
    clause: '1',
    sentence: 'The copy-trade plugin runs on a trading server.',
    reason: 'The API does not show where the process runs.',
  },
  {
    id: 'plugin.unjudged.copies-deals',
    clause: '1',
    sentence: 'Each rule links a master account login to a follower account login.',
    reason: 'Copied trades can only be seen by trading on the platform; the kit checks the list of rules.',
  },
  {
    id: 'plugin.unjudged.license',
    clause: '2.4',
    sentence: 'license_active is a boolean.',
    reason: 'The type is checked; whether the value is true depends on a licence that the kit does not have.',
  },
  {
    id: 'plugin.unjudged.default-port-elsewhere',
    clause: '4.2',
    sentence: 'The default port is 8443.',
    reason: 'If the kit did not start the server, it cannot tell a configured port from the default.',
  },
  {
    id: 'plugin.unjudged.clients-confirm-indices',
    clause: '4.2 rule 2',
    sentence: 'Clients call GET /api/rules to confirm indices before deleting.',
    reason: 'It is advice to clients, not a requirement for the server.',
  },
  {
    id: 'plugin.unjudged.administrator-tool',
    clause: '5',
    sentence: "The key is set in the trading platform's administrator tool.",
    reason: 'The kit passes the parameters to the server; how an administrator edits them is outside the API.',
  },
  {
    id: 'plugin.unjudged.other-500',
    clause: '7',
    sentence: '500: internal server error.',
    reason: 'An internal error cannot be triggered on purpose; the one documented cause, capacity, is checked.',
  },
  {
    id: 'plugin.unjudged.rate-limits',
    clause: '8',
    sentence: 'Rate limits: not shown.',
    reason: 'The specification requires nothing.',
  },
  {
    id: 'plugin.unjudged.deprecation',
    clause: '9',
    sentence: 'Deprecation policy: not shown.',
    reason: 'The specification requires nothing.',
  },
] as const satisfies readonly Unjudged[]
