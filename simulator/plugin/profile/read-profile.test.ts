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
  throw new Error('the profile was not refused')
}

test('a simulator answers as a profile says, in its words', async () => {
  const { options, notKnown } = parseProfile(example)
  expect(notKnown).toEqual(['plugin.body.size-limit'])
  expect(options.profile).toMatchObject({ 'plugin.start.copy-saved': 'no' })
  await using simulator = createSimulator({ ...options, apiKey: key, port: 0 })
  await simulator.start()
  const stranger = await fetch(`${simulator.url}/api/status`, { headers: { Connection: 'close' } })
  expect(stranger.statusText).toBe('Go Away')
  expect(stranger.headers.get('content-type')).toBe('application/json')
  expect(stranger.headers.has('www-authenticate')).toBe(false)
  expect(await stranger.json()).toEqual({ error: 'no key: no answer' })
  expect((await send(simulator, { path: '/api/status' })).text).toContain('"plugin":"Acme Copy","version":"1.10"')
  expect((await post(simulator, '{}')).text).toBe('{"error":"Missing master!"}')
  expect((await post(simulator, ruleText())).text).toContain('"index":1')
  expect((await post(simulator, ruleText())).text).toBe('{"error":"full"}')
})

test('every line that is wrong is told with the nearest valid name', () => {
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
    'p.yaml:13: there is no key "extra". Did you mean schema?',
    'p.yaml:2: there is no key "vesion". Did you mean version?',
    'p.yaml:5: there is no question "plugin.index.bas". Did you mean plugin.index.base?',
    'p.yaml:6: "2" is no answer to plugin.index.base. Did you mean 0? Its answers are: 0, 1, not-known.',
    'p.yaml:7: "strat" is no answer to plugin.add.position. Did you mean start? Its answers are: end, start, not-known.',
    'p.yaml:8: plugin.body.on-delete must be a text.',
    'p.yaml:3: capacity must be a whole number of at least 0, or not-known.',
    'p.yaml:10: "900" is no status.',
    'p.yaml:12: there is no kind of error "unauthorised". Did you mean unauthorized?',
  ])
})

test.for([
  { text: '', says: 'p.yaml:1: this is no profile' },
  { text: '- a', says: 'p.yaml:1: this is no profile' },
  { text: 'schema: copytrade-tck/profile@1', says: 'p.yaml:1: the key plugin is missing.' },
  { text: 'schema: other\nplugin: {}', says: 'p.yaml:1: schema must be copytrade-tck/profile@1.' },
  { text: 'plugin: {}\nplugin: {}', says: 'p.yaml:2: Map keys must be unique' },
  { text: 'plugin:\n  answers: yes', says: 'p.yaml:2: answers must be a mapping.' },
])('$text is refused', ({ text, says }) => {
  expect(problems(text)).toContain(says)
})

test('a kind of error that does not exist is refused in a program, too', () => {
  const errorTexts = { unauthorised: 'x' } as object
  expect(() => createSimulator({ errorTexts })).toThrow('Did you mean "unauthorized"?')
})
