import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSimulator, type SimulatorOptions } from '../../simulator/index.ts'
import { ErrorResponse } from '../../simulator/server/response.ts'
import { type LedgerEntry, openLedger } from '../../suites/safety/ledger.ts'
import type { RestoreFlags } from './command.ts'
import { restore } from './restore.ts'

const key = 'a-key-for-tests'
const own = { master: 900_000_001, follower: 900_000_002, mode: 'mult', value: 1, direction: 'same' }
const foreign = (follower: number) => ({ master: 1000, follower, mode: 'mult', value: 1, direction: 'same' })
const [one, two, three, four] = [1, 2, 3, 4].map(foreign) as [Draft, Draft, Draft, Draft]
type Draft = ReturnType<typeof foreign>

const ownWrite: LedgerEntry = { event: 'write', request: '', body: '', logins: [own.master, own.follower] }
const closed: LedgerEntry = { event: 'closed' }

/** A run that found three foreign rules and ended with these ledger entries and these rules in the list. */
async function afterRun({
  entries,
  list,
  override = () => ({}),
}: {
  readonly entries: readonly LedgerEntry[]
  readonly list: readonly Draft[]
  readonly override?: SimulatorOptions['override']
}) {
  const copies = list.map(({ master, follower }, at) => [`Copy_${at + 1}`, `${master}>${follower},mult,1,same`])
  const parameters = { API_Key: key, ...Object.fromEntries(copies) }
  const simulator = createSimulator({ port: 0, parameters, override })
  await simulator.start()
  onTestFinished(() => simulator.stop())
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const ledger = openLedger(join(folder, 'ledger.jsonl'), (text) => text)
  const logins = { from: 900_000_000, to: 900_000_999 }
  const before = [one, two, three].map((rule, index) => ({ index, ...rule }))
  const target = simulator.url
  ledger.append({ event: 'open', schema: 'copytrade-tck/ledger@1', target, startedAt: 'then', logins, before })
  for (const entry of entries) ledger.append(entry)
  ledger.close()
  return {
    folder,
    followers: () => simulator.rules.map(({ follower }) => Number(follower)),
    async restored(flags: Partial<RestoreFlags> = {}) {
      const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
      onTestFinished(() => write.mockRestore())
      const all = { apiKey: key, insecure: false, timeout: 5_000, cleanupTimeout: 5_000, reAdd: false, ...flags }
      const code = await restore({ ledger: ledger.file, ...all } as RestoreFlags)
      return { code, text: write.mock.calls.map(([text]) => String(text)).join('') }
    },
  }
}

test('each missing rule is named, and added again only with `--re-add`, also later', async () => {
  const run = await afterRun({ entries: [ownWrite], list: [own, one] })
  const { code, text } = await run.restored()
  expect(text).toMatch(
    /missing: 1000>2 mult 1 same\n.*missing: 1000>3 mult 1 same\n.*no other client removed .* --re-add/,
  )
  expect(code).toBe(0)
  expect(run.followers()).toEqual([1])
  expect(await run.restored({ reAdd: true })).toMatchObject({ code: 0, text: expect.stringContaining('added again') })
  expect(run.followers()).toEqual([1, 2, 3])
})

test('`--re-add` does not add a rule that was removed after a clean run', async () => {
  const run = await afterRun({ entries: [ownWrite, closed], list: [one, three] })
  expect(await run.restored({ reAdd: true })).toMatchObject({ code: 0, text: expect.stringMatching(/^Nothing to do/) })
  expect(run.followers()).toEqual([1, 3])
})

test('`--re-add` adds missing rules in their order, and rules from the end of the list get their old positions', async () => {
  const run = await afterRun({ entries: [ownWrite], list: [one, own] })
  const { code, text } = await run.restored({ reAdd: true })
  expect(text).toContain('added again: 1000>2 mult 1 same\nadded again: 1000>3 mult 1 same\n')
  expect(text).toContain('No rule of the kit is left; 0 changes to the 3 rules from before the run.')
  expect(run.followers()).toEqual([1, 2, 3])
  expect(code).toBe(0)
})

test('the text of a rule shows neither the key nor control characters', async () => {
  const rules = [{ ...four, direction: `\u001b[2J${key}` }]
  const run = await afterRun({ entries: [ownWrite, { event: 'lost', rules }], list: [one, two, three] })
  const { text } = await run.restored()
  expect(text).toContain('disappeared with a request of the kit: 1000>4 mult 1 \\u001b[2J[redacted]\n')
})

test('a rule that was added again at another position keeps the exit code at 5, also the next time', async () => {
  const run = await afterRun({ entries: [ownWrite, { event: 'lost', rules: [one] }, closed], list: [two, three] })
  expect(await run.restored()).toMatchObject({
    code: 5,
    text: expect.stringMatching(/disappeared with a request of the kit: 1000>1 .*\n.*--re-add/),
  })
  const moved = expect.stringContaining('added again at #2, was at #0 before: 1000>1')
  expect(await run.restored({ reAdd: true })).toMatchObject({ code: 5, text: moved })
  expect(run.followers()).toEqual([2, 3, 1])
  expect(await run.restored()).toMatchObject({ code: 5, text: moved })
})

test('`--re-add` stops at the first rule whose addition makes another rule disappear, and names it', async () => {
  const run = await afterRun({
    entries: [ownWrite],
    list: [one],
    override: ({ addRule }) => ({ addRule: (rules, rule) => addRule(rules.slice(1), rule) }),
  })
  const { code, text } = await run.restored({ reAdd: true })
  expect(run.followers()).toEqual([2])
  expect(text).toContain('#0 1000>1 mult 1 same disappeared when 1000>2 mult 1 same was added again')
  expect(code).toBe(5)
})

test('another order of the existing rules is reported', async () => {
  const entries: LedgerEntry[] = [ownWrite, { event: 'reordered' }, closed]
  const run = await afterRun({ entries, list: [three, one, two] })
  const { code, text } = await run.restored()
  expect(text).toContain('the order of the rules has changed with a request of the kit')
  expect(code).toBe(5)
  expect(await (await afterRun({ entries, list: [one, two, three] })).restored()).toMatchObject({ code: 0 })
})

test('after a DELETE that removed another rule no DELETE is sent, and the rules of the kit are named', async () => {
  let removals = 0
  const run = await afterRun({
    entries: [ownWrite, { event: 'misled', reason: 'the server removed something else' }],
    list: [one, two, three, own],
    override: ({ removeRule }) => ({
      removeRule: (rules, position) => {
        removals += 1
        return removeRule(rules, position)
      },
    }),
  })
  const { code, text } = await run.restored()
  expect(text).toMatch(/still there: #3 900000001>.*\nthe server removed something else\n.*No further DELETE is sent/)
  expect(text).not.toMatch(/pause|other clients/)
  expect({ code, removals }).toEqual({ code: 5, removals: 0 })
})

test('a server that removes nothing is reported, without waiting for other clients', async () => {
  const override: SimulatorOptions['override'] = () => ({ removeRule: (rules) => rules })
  const run = await afterRun({ entries: [ownWrite], list: [one, two, three, own], override })
  const { code, text } = await run.restored()
  expect(text).toContain('the server does not remove the rules of the kit')
  expect(text).not.toMatch(/pause|other clients/)
  expect(code).toBe(5)
})

/** Counts requests, and answers some of them with 429. */
function limiting(isLimited: (request: number) => boolean, retryAfter: string) {
  const counted = { requests: 0 }
  const override: SimulatorOptions['override'] = ({ acceptsCredentials }) => ({
    acceptsCredentials(given, isRight) {
      counted.requests += 1
      if (isLimited(counted.requests)) {
        throw new ErrorResponse(429, 'Too many requests.', { 'Retry-After': retryAfter })
      }
      return acceptsCredentials(given, isRight)
    },
  })
  return { counted, override }
}

test('the command waits for a rate limit', async () => {
  const { override } = limiting((request) => request % 4 === 0, '0')
  const run = await afterRun({ entries: [ownWrite], list: [one, two, three, own, own, own], override })
  expect(await run.restored()).toMatchObject({ code: 0, text: expect.stringContaining('No rule of the kit is left') })
  expect(run.followers()).toEqual([1, 2, 3])
})

test('a rate limit that does not end is named, and not taken for a wrong key', async () => {
  const { override } = limiting(() => true, '3600')
  const run = await afterRun({ entries: [ownWrite], list: [one, own], override })
  await expect(run.restored()).rejects.toMatchObject({
    message: expect.stringContaining('429'),
    hint: expect.stringMatching(/^(?!.*key).*--max-rps/),
  })
})

test('if a rate limit rejects each DELETE, the command is to be run again later', async () => {
  const override: SimulatorOptions['override'] = () => ({
    removeRule: () => {
      throw new ErrorResponse(429, 'Too many requests.', { 'Retry-After': '3600' })
    },
  })
  const run = await afterRun({ entries: [ownWrite], list: [one, own], override })
  const { code, text } = await run.restored()
  expect(code).toBe(5)
  expect(text).toMatch(
    /DELETE was answered with 429\n(.*\n)*.*could not be removed\. Run the command again later, .*--max-rps/,
  )
})

test('with `--max-rps` requests are sent no faster, on average', async () => {
  const { counted, override } = limiting(() => false, '')
  const run = await afterRun({ entries: [ownWrite], list: [one, two, three, own, own], override })
  const startedAt = performance.now()
  expect(await run.restored({ maxRps: 40 })).toMatchObject({ code: 0 })
  expect(performance.now() - startedAt).toBeGreaterThan((counted.requests - 2) * 25)
})

test.for([
  { what: 'its rule is gone', list: [one, three], says: /by another client: 1000>2/ },
  {
    what: 'its rule is still there',
    list: [one, three, four, own],
    says: /by another client: 1000>2 .*\n.*no list shows/,
  },
])('a run that was killed during a DELETE may have removed what is missing: $what', async ({ list, says }) => {
  const run = await afterRun({ entries: [ownWrite, { event: 'remove', index: 3, rule: own }], list })
  expect(await run.restored()).toMatchObject({ code: 5, text: expect.stringMatching(says) })
  expect(await run.restored()).toMatchObject({ code: 5, text: expect.stringMatching(says) })
})

test('a run that was killed during a DELETE may have removed a new rule if its own rule is still there at another index', async () => {
  const run = await afterRun({
    entries: [ownWrite, { event: 'remove', index: 4, rule: own }],
    list: [one, two, three, own],
  })
  expect(await run.restored()).toMatchObject({ code: 5, text: expect.stringContaining('no list shows') })
})

test('a run that was killed before its DELETE was sent reports nothing', async () => {
  const run = await afterRun({
    entries: [ownWrite, { event: 'remove', index: 3, rule: own }],
    list: [one, two, three, own],
  })
  expect(await run.restored()).toMatchObject({ code: 0 })
})

test('a run that was killed during a DELETE that removed its own rule reports nothing', async () => {
  const run = await afterRun({
    entries: [ownWrite, { event: 'remove', index: 3, rule: own }],
    list: [one, two, three],
  })
  expect(await run.restored()).toMatchObject({ code: 0 })
  expect(await run.restored()).toMatchObject({ code: 0, text: expect.stringContaining('Nothing to do') })
})

const posted: LedgerEntry = {
  event: 'write',
  request: 'POST /api/rules',
  body: JSON.stringify(own),
  logins: [own.master, own.follower],
}

test.for([
  { what: 'the last of them is gone', written: [posted, posted], index: 4, list: [one, two, three, own] },
  {
    what: 'one between two others is gone',
    written: [posted, posted, posted],
    index: 4,
    list: [one, two, three, own, own],
  },
  { what: 'all are there', written: [posted, posted], index: 4, list: [one, two, three, own, own] },
])(
  'a run that was killed during a DELETE of one of several equal rules reports nothing: $what',
  async ({ written, index, list }) => {
    const run = await afterRun({ entries: [...written, { event: 'remove', index, rule: own }], list })
    expect(await run.restored()).toMatchObject({ code: 0, text: expect.not.stringContaining('no list shows') })
    expect(run.followers()).toEqual([1, 2, 3])
  },
)

test.for([
  { what: 'all are still there, at other indices', removed: [] },
  { what: 'one was removed before, and the other has another index', removed: [3] },
])(
  'a run that was killed during a DELETE of one of two equal rules may have removed a new rule: $what',
  async ({ removed }) => {
    const before = removed.flatMap((index): LedgerEntry[] => [
      { event: 'remove', index, rule: own },
      { event: 'confirmed' },
    ])
    const run = await afterRun({
      entries: [posted, posted, ...before, { event: 'remove', index: 5, rule: own }],
      list: [one, two, three, ...[own, own].slice(removed.length)],
    })
    expect(await run.restored()).toMatchObject({ code: 5, text: expect.stringContaining('no list shows') })
  },
)

test('a wait for the last hook of the run is announced', async () => {
  const lease: LedgerEntry = {
    event: 'lend',
    hooks: { restart: 'true' },
    manual: false,
    parameters: null,
    order: [one],
  }
  const steps: LedgerEntry = { event: 'steps', steps: ['restart'], held: [], configured: false }
  const hook: LedgerEntry = { event: 'hook', step: 'restart', pid: process.pid }
  const run = await afterRun({ entries: [lease, ownWrite, steps, hook], list: [one, two, three] })
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => write.mockRestore())
  expect(await run.restored({ hookTimeout: 200 })).toMatchObject({ code: 0 })
  expect(write.mock.calls.join('')).toMatch(/^Waiting .* \(process \d+\), for at most 0\.2 s /)
})

test('without a key the folder with the parameters is removed before the command fails', async () => {
  const run = await afterRun({ entries: [ownWrite], list: [one] })
  const [folder, other] = ['ledger', 'other'].map((name) =>
    join(run.folder, `${name}.jsonl.${process.ppid}.private`),
  ) as [string, string]
  for (const path of [folder, other]) mkdirSync(path)
  await expect(run.restored({ apiKey: '' })).rejects.toThrow(/key/)
  expect([existsSync(folder), existsSync(other)]).toEqual([false, true])
})
