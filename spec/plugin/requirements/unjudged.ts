import { unjudged } from '../../clause.ts'

/** Sentences about the plugin that no check can verify from outside. */
export const pluginUnjudged = unjudged({
  'plugin.unjudged.runs-in-trading-server': [
    '1',
    'The copy-trade plugin runs on a trading server.',
    'The API does not show where the process runs.',
  ],
  'plugin.unjudged.copies-deals': [
    '1',
    'Each rule links a master account login to a follower account login.',
    'Copied trades can only be seen by trading on the platform; the kit checks the list of rules.',
  ],
  'plugin.unjudged.license': [
    '2.4',
    'license_active is a boolean.',
    'The type is checked; whether the value is true depends on a licence that the kit does not have.',
  ],
  'plugin.unjudged.default-port-elsewhere': [
    '4.2',
    'The default port is 8443.',
    'If the kit did not start the server, it cannot tell a configured port from the default.',
  ],
  'plugin.unjudged.clients-confirm-indices': [
    '4.2 rule 2',
    'Clients call GET /api/rules to confirm indices before deleting.',
    'It is advice to clients, not a requirement for the server.',
  ],
  'plugin.unjudged.administrator-tool': [
    '5',
    "The key is set in the trading platform's administrator tool.",
    'The kit passes the parameters to the server; how an administrator edits them is outside the API.',
  ],
  'plugin.unjudged.other-500': [
    '7',
    '500: internal server error.',
    'An internal error cannot be triggered on purpose; the one documented cause, capacity, is checked.',
  ],
  'plugin.unjudged.rate-limits': ['8', 'Rate limits: not shown.', 'The specification requires nothing.'],
  'plugin.unjudged.deprecation': ['9', 'Deprecation policy: not shown.', 'The specification requires nothing.'],
})
