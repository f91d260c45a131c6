import { expect, test } from 'vitest'
import type { FailureStep } from '../assertions/failure.ts'
import type { Exchange } from '../client/exchange.ts'
import { reproduction } from './reproduction.ts'
import { otherParameters, type ReproductionOptions, startNote } from './reproduction-plan.ts'

const rule = (follower: number) => `{"index":0,"master":1001,"follower":${follower},"mode":"mult"}`
const listOf = (...followers: number[]) => `{"rules":[${followers.map(rule)}],"total":${followers.length}}`
const options: ReproductionOptions = {
  ...{ keyVariable: 'TCK_API_KEY', listPath: '/api/rules', rerun: '--only CT-1 --seed 7', owned: true },
  rulesBefore: () => null,
}
let count = 0

interface Sent {
  readonly at?: number
  readonly ms?: number
  readonly list?: string
  readonly body?: string
}

function exchange(method: string, path: string, status: number, sent: Sent = {}): Exchange {
  count += 1
  const { at = count * 100, ms = 1, list = listOf(2001), body = null } = sent
  return {
    id: `x${count}`,
    startedAt: new Date(at).toISOString(),
    durationMs: ms,
    request: { method, url: `http://a${path}`, headers: [], body },
    response: { status, headers: [], body: method === 'GET' && path === '/api/rules' ? list : '{}' },
    failure: null,
  }
}

const read = (sent: Sent = {}) => exchange('GET', '/api/rules', 200, sent)
const wrong = () => exchange('PUT', '/api/rules', 200)

function of(
  steps: readonly FailureStep[],
  changes: Partial<ReproductionOptions & { omitted: number; code: string }> = {},
) {
  const { omitted = 0, code = 'request.accepted', ...others } = changes
  const failing = steps.findLast((step) => typeof step === 'object')
  return reproduction({ steps, omitted, failing, code, data: null }, { ...options, ...others })
}

test('after reads and rejected requests there is also a command for the request alone', () => {
  const steps = [read(), exchange('POST', '/api/rules', 400), wrong()]
  const { curl, decidingStep } = of(steps)
  expect(curl).toBe(`curl -i -X PUT 'http://a/api/rules'`)
  expect(decidingStep).toBe(steps[0])
  expect(of([read(), exchange('POST', '/api/rules', 201), wrong()]).curl).toBeNull()
  // The list was filled by an earlier check.
  expect(of([read()], { code: 'capacity.exceeded' }).curl).toBeNull()
})

test('there is no command for a request whose signature ages, nor for one of two different responses', () => {
  const { request, ...rest } = wrong()
  const signed = { ...rest, request: { ...request, headers: [['X-Acme-Signature', '0f']] as const } }
  expect(of([signed]).curl).toBeNull()
  expect(of([read(), read()], { code: 'account.changed' }).curl).toBeNull()
  expect(of([read(), read()], { code: 'account.id-malformed' }).curl).toContain('curl')
})

test('nothing is printed that could remove existing rules of a running server again', () => {
  const steps = [read(), exchange('DELETE', '/api/rules', 200)]
  const { curl, script } = of(steps, { code: 'list.other-removed', owned: false })
  expect(curl).toBeNull()
  expect(script).toContain(
    'Requests alone do not show this: they could remove existing rules, which only the kit adds again.',
  )
  expect(script).toContain('\n# DELETE http://a/api/rules')
  expect(script).not.toMatch(/^curl/m)
  expect(of(steps, { code: 'list.other-removed' }).curl).toContain('curl')
})

test('a DELETE to a running server is not printed alone, since its index may belong to another rule by then', () => {
  const removal = exchange('DELETE', '/api/rules/1', 200)
  expect(of([read(), removal], { owned: false }).curl).toBeNull()
  expect(of([read(), removal]).curl).toContain('-X DELETE')
  expect(of([read(), exchange('DELETE', '/api/rules/1', 404)], { owned: false }).curl).toContain('-X DELETE')
})

test('the deciding step is the first one after the last list that was read before the last change', () => {
  const arranged = [read(), exchange('POST', '/api/rules', 201), read({ list: listOf(2001, 2002) })]
  const removal = exchange('DELETE', '/api/rules/1', 200)
  const steps = [...arranged, removal, read()]
  const { script, decidingStep } = of(steps, { code: 'list.not-shifted' })
  expect(decidingStep).toBe(removal)
  expect(script).toContain("case $list in ' 1001>2001 = 200' | ' 1001>2001 1001>2002 = 200') ;;")
})

test.for<[reason: string, steps: readonly FailureStep[], changes?: Parameters<typeof of>[1]]>([
  ['the server is started with other parameters', [otherParameters, startNote, wrong()]],
  ['the server is stopped, started or changed between requests', [read(), 'Kill the server.', startNote, wrong()]],
  ['3 more requests were sent than are recorded', [read(), wrong()], { omitted: 3 }],
  ['it takes bytes that curl cannot send', [read(), exchange('RAW', '/api/rules', 200), wrong()]],
  ['the requests overlap', [read({ at: 10_000, ms: 30 }), exchange('PUT', '/api/rules', 200, { at: 10_005 })]],
  ['a body is too long or is not text', [read(), exchange('PUT', '/api/rules', 200, { body: '\0' })]],
  ['a shell cannot judge the response', [read(), wrong()], { code: 'concurrency.unexplained' }],
  ['the state before it is not known', [exchange('POST', '/api/rules', 201), wrong()]],
])(
  'a failure that requests alone do not show has a reason, and a command to run instead: %s',
  ([reason, steps, changes = {}]) => {
    const { script, decidingStep } = of(steps, changes)
    const [, message] = script?.split('\n') ?? []
    expect(message).toBe(
      `echo 'Requests alone do not show this: ${reason}. Run the same command with --only CT-1 --seed 7'; exit 2`,
    )
    expect(decidingStep).toBeNull()
  },
)

test('a request of an earlier check needs a run of all checks', () => {
  const failed = { steps: [read()], omitted: 0, failing: wrong(), code: 'body.not-object', data: null }
  const { script } = reproduction(failed, options)
  expect(script).toContain('an earlier check sent the request. Run the same command with all checks and --seed 7')
})

test('a server that the check started has an empty list, any other its rules', () => {
  const steps = [exchange('POST', '/api/rules', 201), wrong()]
  expect(of([startNote, ...steps]).script).toContain("case $list in ' = 200') ;;")
  const rulesBefore = () => [{ master: 5, follower: 6 }]
  expect(of(steps, { rulesBefore }).script).toContain("case $list in ' 5>6 = 200') ;;")
})

test('nothing in a response becomes a command of the script', () => {
  const hostile = listOf().replace('[]', `[{"master":"$(exit)'\`exit\`","follower":1}]`)
  const { script } = of([read({ list: hostile }), wrong()])
  expect(script).toContain(`case $list in ' "$(exit)'\\''\`exit\`">1 = 200') ;;`)
  expect(script).toContain(`the list is$list, not"' "$(exit)'\\''\`exit\`">1'; exit 2`)
})

test('every list of the deciding steps must be the same again, since an earlier one may be the wrong one', () => {
  const list = listOf(2001)
  const { script } = of([read(), exchange('POST', '/api/rules', 201), read(), read()], { code: 'list.changed' })
  expect(script).toContain(`in $first'${list}'~200,''~201,'${list}'~200,'${list}~200') `)
})
