import { unjudged } from '../../clause.ts'

/** Sentences about the platform API that no check can verify from outside. */
export const platformUnjudged = unjudged({
  'platform.unjudged.dashboard': [
    '5',
    'An API key pair is created in the client dashboard (Settings, API Keys).',
    'The dashboard is not part of the API.',
  ],
  'platform.unjudged.secret-displayed-once': [
    '5',
    'The API Secret is displayed only once at creation.',
    'The API does not show what the dashboard displays; that no response contains the secret is checked.',
  ],
  'platform.unjudged.client-libraries': [
    '1',
    'Official client libraries exist for PHP, Node.js and Python.',
    'The kit checks servers; the HTTP contract is the interface.',
  ],
  'platform.unjudged.demo-accounts': [
    '1',
    'Trading accounts can be created, such as demo accounts.',
    'Trading on a created account would need the trading platform.',
  ],
  'platform.unjudged.other-endpoints': [
    '4.1',
    'Other platform endpoints: not shown.',
    'The specification requires nothing.',
  ],
  'platform.unjudged.events': ['6', 'Events: not shown.', 'The specification requires nothing.'],
  'platform.unjudged.errors': [
    '7',
    'Platform API error format and codes: not shown.',
    'The specification requires nothing; observed formats and codes are reported as answers to questions.',
  ],
  'platform.unjudged.rate-limits': [
    '8',
    'Rate limits: not shown.',
    'The specification requires nothing, and the kit does not provoke rate limits.',
  ],
  'platform.unjudged.deprecation': ['9', 'Deprecation policy: not shown.', 'The specification requires nothing.'],
})
