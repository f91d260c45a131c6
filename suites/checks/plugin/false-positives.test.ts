import { expect, test } from 'vitest'
import type { SimulatorOptions } from '../../../simulator/index.ts'
import { pluginDefects } from '../../../simulator/plugin/defects/index.ts'
import { ErrorResponse } from '../../../simulator/server/response.ts'
import { judgeServer } from '../../../test/judge-server.ts'
import { judge } from '../../runner/judge.ts'
import { contextOf, foreign, parameters, targetAt } from '../../runner/judged.test-data.ts'
import { type Check, ownServerCapabilities } from '../../session/check.ts'
import type { Session } from '../../session/session.ts'
import { createEmbeddedDriver } from '../../targets/embedded.ts'
import { pluginChecks } from './all.ts'

/** Requirements that a defect does not break, although their checks meet it. */
const others = [
  ['delete.returns-204', ['plugin.auth.x-api-key', 'plugin.rule.index-is-position', 'plugin.persist.list']],
  ['status.returns-203', ['plugin.auth.whole-key', 'plugin.path.unknown', 'plugin.status.rules-loaded-is-total']],
  ['add.returns-200', ['plugin.list.total', 'plugin.rule.as-sent']],
  ['file.reverse-only-with-fixed', ['plugin.start.file-wins', 'plugin.start.reset']],
  ['file.ascending-by-master', ['CT-608', 'plugin.capacity.survives-restart']],
  ['method.not-allowed-returns-400', ['plugin.method.allow']],
  ['save.never', ['plugin.rule.value-double-precision']],
  ['capacity.full-forever', ['plugin.add.index-of-new-rule']],
] as const

test.for(others)('the defect %s causes no failure of %j', async ([id, only]) => {
  const defect = pluginDefects.find((one) => one.id === id)
  if (defect === undefined) throw new Error(`there is no defect ${id}`)
  const outcomes = await judgeServer({
    driver: createEmbeddedDriver({ capacity: 12, override: defect.override }),
    capabilities: ownServerCapabilities,
    capacity: null,
    ...{ only, seed: 5 },
  })
  const judged = outcomes.filter(({ status }) => status !== 'out-of-scope')
  expect(judged.filter(({ status }) => status === 'failed').map(({ check, code }) => `${check}: ${code}`)).toEqual([])
  expect(judged.length).toBeGreaterThan(0)
})

const demandsLength: SimulatorOptions['override'] = ({ readApiKeyHeader }) => ({
  readApiKeyHeader: (headers) => {
    if (headers['transfer-encoding'] !== undefined) throw new ErrorResponse(411, 'The length is missing.')
    return readApiKeyHeader(headers)
  },
})

test('a server that demands Content-Length is not judged by chunked bodies', async () => {
  const outcomes = await judgeServer({
    driver: createEmbeddedDriver({ capacity: 12, override: demandsLength }),
    capabilities: ownServerCapabilities,
    capacity: null,
    ...{ only: ['CT-953'], seed: 5 },
  })
  expect(outcomes.find(({ check }) => check === 'CT-953')?.status).toBe('not-applicable')
})

test('a start with nine followers in one Copy_N is not judged if the list has room for three rules', async () => {
  const capacity = 3
  const outcomes = await judgeServer({
    driver: createEmbeddedDriver({ capacity }),
    capabilities: [...ownServerCapabilities, 'capacity', 'stated-capacity'],
    capacity,
    ...{ only: ['CT-647'], seed: 5 },
  })
  expect(outcomes.find(({ check }) => check === 'CT-647')).toMatchObject({
    status: 'out-of-scope',
    message: 'the check starts a server with 9 rules, and the list has room for 3',
  })
})

test('a key that is part of a documented name is not searched for in responses', async () => {
  const { url } = await foreign({ parameters: { ...parameters, API_Key: 'rules' } })
  const context = contextOf(url, { target: targetAt(url, { key: 'rules' }) })
  for (const id of ['CT-751', 'CT-752']) {
    const check = pluginChecks.find((one) => one.id === id)
    expect((await judge(check as Check<Session>, context)).status).toBe('not-applicable')
  }
})

test('a key with a quote is found in a JSON text', async () => {
  const key = 'a"key-of-an-administrator'
  const { url } = await foreign({ parameters: { ...parameters, API_Key: key }, errorTexts: { unauthorized: key } })
  const context = contextOf(url, { target: targetAt(url, { key }), secrets: [key] })
  const check = pluginChecks.find(({ id }) => id === 'CT-751')
  expect((await judge(check as Check<Session>, context)).code).toBe('response.shows-key')
})

test('the path of a request that an error repeats is not taken for that of a file', async () => {
  const repeats: SimulatorOptions['override'] = ({ finish }) => ({
    finish: (response, request) => {
      if (response.status < 400) return finish(response, request)
      return { ...response, body: Buffer.from(`{"error":"Rejected: ${request.method} /srv/ct${request.url}"}`) }
    },
  })
  const { url: root } = await foreign({ override: repeats }, (request) => {
    request.url = request.url?.replace('/srv/ct', '')
    return false
  })
  const url = `${root}/srv/ct`
  const context = contextOf(url)
  for (const id of ['CT-845', 'CT-846', 'CT-847']) {
    const check = pluginChecks.find((one) => one.id === id)
    const { status, message } = await judge(check as Check<Session>, context)
    expect([id, status, message]).toEqual([id, 'passed', null])
  }
})

test('a full list is judged with followers that are not in the list, as a server may allow each only once', async () => {
  const override: SimulatorOptions['override'] = ({ judgeRule }) => ({
    judgeRule: (rule, rules) =>
      rules.some(({ follower }) => follower === rule.follower)
        ? new ErrorResponse(409, 'There is one.')
        : judgeRule(rule, rules),
  })
  // All followers of the range but one are in the list when it is full.
  const logins = { from: 900_000_000, to: 900_000_039 }
  // CT-906 fills the list a second time, which then takes no unused follower.
  for (const [id, expected] of Object.entries({ 'CT-901': 'passed', 'CT-906': 'out-of-scope', 'CT-910': 'passed' })) {
    const { url } = await foreign({ parameters, capacity: 37, override })
    const check = pluginChecks.find((one) => one.id === id)
    const { status } = await judge(check as Check<Session>, contextOf(url, { logins }))
    expect([id, status]).toEqual([id, expected])
  }
})

test('a website outside of /api/ is not taken for the API without a key', async () => {
  const { context } = await foreign({}, (request, response) => {
    const isSite = request.method === 'GET' && !request.url?.includes('/api/')
    if (isSite) response.setHeader('Content-Type', 'text/html').end('<html></html>')
    return isSite
  })
  const check = pluginChecks.find(({ id }) => id === 'CT-711')
  expect(await judge(check as Check<Session>, context)).toMatchObject({ status: 'passed' })
})

test('a key that RFC 6750 does not allow as a Bearer token is not sent as one', async () => {
  const key = 'p@ss!word-of-an-administrator'
  const strict: SimulatorOptions['override'] = ({ readAuthorizationHeader }) => ({
    readAuthorizationHeader: (headers) => {
      if (headers.authorization?.includes('@')) throw new ErrorResponse(400, 'Malformed token.')
      return readAuthorizationHeader(headers)
    },
  })
  const { url } = await foreign({ parameters: { ...parameters, API_Key: key }, override: strict })
  const context = contextOf(url, { target: targetAt(url, { key }), secrets: [key] })
  for (const id of ['CT-703', 'CT-704', 'CT-705', 'CT-706', 'CT-707', 'CT-721', 'CT-751']) {
    const check = pluginChecks.find((one) => one.id === id)
    const { status } = await judge(check as Check<Session>, context)
    expect([id, status]).toEqual([id, ['CT-721', 'CT-751'].includes(id) ? 'passed' : 'not-applicable'])
  }
})

test('a list without rules is not blamed on the risk, which may allow additions', async () => {
  const { url } = await foreign({ parameters: { API_Key: parameters.API_Key } })
  const check = pluginChecks.find(({ id }) => id === 'CT-101')
  expect(await judge(check as Check<Session>, contextOf(url))).toMatchObject({
    status: 'out-of-scope',
    message: 'the list is empty, and this check adds no rule',
  })
})

test('a missing response to a pipelined request is not only said to have a wrong status', async () => {
  const defect = pluginDefects.find(({ id }) => id === 'http.pipelined-after-post-closed')
  const { override } = defect as (typeof pluginDefects)[number]
  const { url } = await foreign({ parameters, override })
  const check = pluginChecks.find(({ id }) => id === 'CT-979')
  expect((await judge(check as Check<Session>, contextOf(url))).message).toContain(
    'The response to request 2 of 2 on one connection is missing or has the wrong status.',
  )
})
