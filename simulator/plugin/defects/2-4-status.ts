import { asks, changesResponse, withMembers, withoutMember } from '../../defect-parts/wire.ts'
import type { Defect } from './defect.ts'
import { returnsStatus } from './overrides.ts'

/** Clause 2.4: the plugin status. */
export const statusDefects: readonly Defect[] = [
  {
    id: 'status.in-an-array',
    breaks: ['plugin.status.ok'],
    summary: 'The status is an array with one object.',
    override: ({ statusBody }) => ({ statusBody: (facts) => [statusBody(facts)] }),
  },
  {
    id: 'status.answers-203',
    breaks: ['plugin.status.ok'],
    summary: 'GET /api/status returns 203.',
    override: changesResponse(
      (status, request) => asks(request, 'GET /api/status') && status === 200,
      (response) => ({ ...response, status: 203 }),
    ),
  },
  {
    id: 'status.plugin-called-name',
    breaks: ['plugin.status.ok'],
    summary: 'The name of the plugin is in the member name instead of plugin.',
    override: ({ statusBody }) => ({
      statusBody: (facts) => withMembers(withoutMember(statusBody(facts), 'plugin'), { name: facts.plugin }),
    }),
  },
  {
    id: 'status.version-as-number',
    breaks: ['plugin.status.ok'],
    summary: 'The version is a number.',
    override: returnsStatus(({ version }) => ({ version: Number(version) })),
  },
  {
    id: 'status.license-as-number',
    breaks: ['plugin.status.ok'],
    summary: 'license_active is 1 or 0.',
    override: returnsStatus(({ licenseActive }) => ({ license_active: licenseActive ? 1 : 0 })),
  },
  {
    id: 'status.rules-loaded-as-text',
    breaks: ['plugin.status.ok'],
    summary: 'rules_loaded is a string.',
    override: returnsStatus(({ rules }) => ({ rules_loaded: String(rules.length) })),
  },
  {
    id: 'status.rules-loaded-unknown-before-first-list',
    breaks: ['plugin.status.ok'],
    summary: 'rules_loaded is -1 until the list is first read.',
    override: ({ statusBody, listBody }) => {
      let counted = false
      return {
        listBody: (rules) => {
          counted = true
          return listBody(rules)
        },
        statusBody: (facts) => (counted ? statusBody(facts) : withMembers(statusBody(facts), { rules_loaded: -1 })),
      }
    },
  },
  {
    id: 'status.rules-loaded-counts-factors-only',
    breaks: ['plugin.status.rules-loaded-is-total'],
    summary: 'rules_loaded counts only the rules with the mode mult.',
    override: returnsStatus(({ rules }) => ({ rules_loaded: rules.filter(({ mode }) => mode === 'mult').length })),
  },
  {
    id: 'status.rules-loaded-from-start',
    breaks: ['plugin.status.rules-loaded-is-total'],
    summary: 'rules_loaded is counted at the start and never updated.',
    override: ({ statusBody }) => {
      let counted: number | undefined
      return {
        statusBody: (facts) => {
          counted ??= facts.rules.length
          return withMembers(statusBody(facts), { rules_loaded: counted })
        },
      }
    },
  },
  {
    id: 'status.rules-loaded-never-falls',
    breaks: ['plugin.status.rules-loaded-is-total'],
    summary: 'rules_loaded increases with each POST and does not decrease with a DELETE.',
    override: ({ statusBody }) => {
      let most = 0
      return {
        statusBody: (facts) => {
          most = Math.max(most, facts.rules.length)
          return withMembers(statusBody(facts), { rules_loaded: most })
        },
      }
    },
  },
  {
    id: 'status.port-zero',
    breaks: ['plugin.status.ok', 'plugin.status.api-port-is-own'],
    summary: 'api_port is 0.',
    override: returnsStatus(() => ({ api_port: 0 })),
  },
  {
    id: 'status.port-as-text',
    breaks: ['plugin.status.ok', 'plugin.status.api-port-is-own'],
    summary: 'api_port is a string.',
    override: returnsStatus(({ port }) => ({ api_port: String(port) })),
  },
  {
    id: 'status.port-is-the-default',
    breaks: ['plugin.status.api-port-is-own'],
    summary: 'api_port is 8443, even if API_Port differs.',
    override: returnsStatus(() => ({ api_port: 8443 })),
  },
]
