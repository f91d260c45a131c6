import { expect, test } from 'vitest'
import { createSimulator, parseProfile } from '../../index.ts'
import { key, post, ruleText, send } from '../../testing/client.ts'
import { InvalidProfileError } from './profile-document.ts'

const example = `
schema: copytrade-tck/profile@1
plugin:
  name: Acme Copy
  version: 1.10 # a text, though it looks like a number
  capacity: 1
  answers:
    plugin.index.base: 1
    plugin.auth.challenge: absent
    plugin.start.copy-saved: no
    plugin.body.size-limit: not-known
  headers:
    Content-Type: application/json
  reasonPhrases:
    401: Go Away
  errorTexts:
    unauthorized: "no key: no answer"
    missing-field: Missing {field}!
    capacity-reached: full
`

function problems(text: string): string {
  try {
    parseProfile(text, 'p.yaml')
  } catch (error) {
    if (error instanceof InvalidProfileError) return error.message
  }
  throw new Error('the profile was not rejected')
}

test('a simulator behaves as its profile says, with its texts', async () => {
  const { options, notKnown } = parseProfile(example)
  expect(notKnown).toEqual(['plugin.body.size-limit'])
  expect(options.profile).toMatchObject({ 'plugin.start.copy-saved': 'no' })
  await using simulator = createSimulator({ ...options, apiKey: key, port: 0 })
  await simulator.start()
  const unauthenticated = await fetch(`${simulator.url}/api/status`, { headers: { Connection: 'close' } })
  expect(unauthenticated.statusText).toBe('Go Away')
  expect(unauthenticated.headers.get('content-type')).toBe('application/json')
  expect(unauthenticated.headers.has('www-authenticate')).toBe(false)
  expect(await unauthenticated.json()).toEqual({ error: 'no key: no answer' })
  expect((await send(simulator, { path: '/api/status' })).text).toContain('"plugin":"Acme Copy","version":"1.10"')
  expect((await post(simulator, '{}')).text).toBe('{"error":"Missing master!"}')
  expect((await post(simulator, ruleText())).text).toContain('"index":1')
  expect((await post(simulator, ruleText())).text).toBe('{"error":"full"}')
})

test('every wrong line is reported with the nearest valid name', () => {
  const text = `plugin:
  vesion: "1"
  capacity: many
  answers:
    plugin.index.bas: 0
    plugin.index.base: 2
    plugin.add.position: strat
    plugin.body.on-delete: [ignored]
  reasonPhrases:
    900: Odd
  errorTexts:
    unauthorised: x
extra: 1
`
  expect(problems(text).split('\n')).toEqual([
    'p.yaml:2: unknown member `vesion`. Did you mean `version`?',
    'p.yaml:3: `plugin.capacity` must be a whole number of at least 0, or `not-known`.',
    'p.yaml:5: unknown member `plugin.index.bas`. Did you mean `plugin.index.base`?',
    'p.yaml:6: `plugin.answers["plugin.index.base"]` must be one of `0`, `1`, `not-known`.',
    'p.yaml:7: `plugin.answers["plugin.add.position"]` must be one of `end`, `start`, `not-known`. Did you mean `start`?',
    'p.yaml:8: `plugin.answers["plugin.body.on-delete"]` must be a string.',
    'p.yaml:10: `plugin.reasonPhrases.900` is not a status code.',
    'p.yaml:12: unknown member `unauthorised`. Did you mean `unauthorized`?',
    'p.yaml:13: unknown member `extra`.',
  ])
})

test.for([
  { text: '', says: 'p.yaml:1: The document must be a mapping.' },
  { text: '- a', says: 'p.yaml:1: The document must be a mapping.' },
  { text: 'schema: copytrade-tck/profile@1', says: 'p.yaml:1: `plugin` is missing.' },
  { text: 'schema: other\nplugin: {}', says: 'p.yaml:1: `schema` must be `copytrade-tck/profile@1`.' },
  { text: 'plugin: {}\nplugin: {}', says: 'p.yaml:2: Map keys must be unique' },
  { text: 'plugin:\n  answers: yes', says: 'p.yaml:2: `plugin.answers` must be a mapping.' },
  { text: 'plugin:\n  capacity: [24]', says: 'p.yaml:2: `plugin.capacity` must be a whole number' },
  { text: 'plugin:\n  headers: &a {}\n  answers: *a', says: 'p.yaml:3: An alias is not supported.' },
])('$text is rejected', ({ text, says }) => {
  expect(problems(text)).toContain(says)
})

test('an unknown kind of error is also rejected in a program', () => {
  const errorTexts = { unauthorised: 'x' } as object
  expect(() => createSimulator({ errorTexts })).toThrow('Did you mean "errorTexts.unauthorized"?')
})
