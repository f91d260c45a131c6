import type { Unjudged } from '../../requirement.ts'

/** Sentences about the platform API that no check can verify from outside. */
export const platformUnjudged = [
  {
    id: 'platform.unjudged.dashboard',
    clause: '5',
    sentence: 'An API key pair is created in the client dashboard (Settings, API Keys).',
    reason: 'The dashboard is not part of the API.',
  },
  {
    id: 'platform.unjudged.secret-displayed-once',
    clause: '5',
    sentence: 'The API Secret is displayed only once at creation.',
    reason: 'The API does not show what the dashboard displays; that no response contains the secret is checked.',
  },
  {
    id: 'platform.unjudged.client-libraries',
    clause: '1',
    sentence: 'Official client libraries exist for PHP, Node.js and Python.',
    reason: 'The kit checks servers; the HTTP contract is the interface.',
  },
  {
    id: 'platform.unjudged.demo-accounts',
    clause: '1',
    sentence: 'Trading accounts can be created, such as demo accounts.',
    reason: 'Trading on a created account would need the trading platform.',
  },
  {
    id: 'platform.unjudged.other-endpoints',
    clause: '4.1',
    sentence: 'Other platform endpoints: not shown.',
    reason: 'The specification requires nothing.',
  },
  {
    id: 'platform.unjudged.events',
    clause: '6',
    sentence: 'Events: not shown.',
    reason: 'The specification requires nothing.',
  },
  {
    id: 'platform.unjudged.errors',
    clause: '7',
    sentence: 'Platform API error format and codes: not shown.',
    reason: 'The specification requires nothing; observed formats and codes are reported as answers to questions.',
  },
  {
    id: 'platform.unjudged.rate-limits',
    clause: '8',
    sentence: 'Rate limits: not shown.',
    reason: 'The specification requires nothing, and the kit does not provoke rate limits.',
  },
  {
    id: 'platform.unjudged.deprecation',
    clause: '9',
    sentence: 'Deprecation policy: not shown.',
    reason: 'The specification requires nothing.',
  },
] as const satisfies readonly Unjudged[]
