import type { ApiUnderTest, OpenApi, SessionOptions } from '../../cli/target/api.ts'
import { expectStatus } from '../../suites/assertions/expect.ts'
import { createClient } from '../../suites/client/client.ts'
import type { HttpResponse } from '../../suites/client/response.ts'
import { directTransport } from '../../suites/client/transport.ts'
import { defineApi } from '../../suites/runner/define-api.ts'
import { plan } from '../../suites/runner/plan.ts'
import { runPlan } from '../../suites/runner/run-plan.ts'
import { plainServer, type ServerUnderTest } from '../../suites/runner/server-under-test.ts'
import { type ApiSettings, createShared, type Shared } from '../../suites/runner/shared.ts'
import type { Check } from '../../suites/session/check.ts'
import { type Keeps, startNotes } from './notes.ts'

/** What its checks use. */
interface NotesSession {
  post(name: string): Promise<HttpResponse>
  get(name: string): Promise<HttpResponse>
}

interface NotesSettings extends ApiSettings {
  readonly url: string
}

const requirement = (id: string, statement: string) =>
  ({ id, clause: '1', level: 'required', statement, consequence: 'A note is lost.' }) as const

const requirements = [
  requirement('notes.post', 'POST returns 201'),
  requirement('notes.get', 'GET of a note that was posted returns 200'),
  requirement('notes.missing', 'GET of another note returns 404'),
]

const header = { risk: 'write' } as const

const checks: readonly Check<NotesSession>[] = [
  {
    ...{ ...header, id: 'CN-1', requirement: 'notes.post', title: 'POST of a note returns 201' },
    run: async ({ post }) => expectStatus(await post('one'), 201),
  },
  {
    ...{ ...header, id: 'CN-2', requirement: 'notes.get', title: 'Two notes that were posted are found' },
    async run({ post, get }) {
      for (const name of ['two', 'three']) await post(name)
      for (const name of ['two', 'three']) expectStatus(await get(name), 200)
    },
  },
  {
    ...{ ...header, id: 'CN-3', requirement: 'notes.missing', title: 'A note that nobody posted is not found' },
    run: async ({ get }) => expectStatus(await get('four'), 404),
  },
]

const onlyOneNote = {
  id: 'notes.only-one',
  breaks: ['notes.get'],
  summary: 'Only the first note is kept.',
  override: (): Keeps => (notes) => notes.size === 0,
}

function createContext({ url, timeoutMs }: NotesSettings, _: unknown, shared: Shared): ServerUnderTest<NotesSession> {
  const client = createClient({ ...shared, baseUrl: url, transport: directTransport, timeoutMs })
  const send = (method: 'GET' | 'POST', name: string) =>
    client({ method, path: `/notes/${name}`, headers: {}, body: null })
  const session = { post: (name: string) => send('POST', name), get: (name: string) => send('GET', name) }
  return {
    ...{ ...plainServer, keyVariable: 'NOTES_KEY', owned: true, recorder: shared.recorder, redact: shared.redact },
    openCheck: () => ({ session: () => session, servers: [], close: async () => undefined }),
    isAnswering: async () => (await session.get('any')).status < 500,
  }
}

const notes = defineApi({
  ...{ name: 'notes', requirements, questions: [], checks, observations: [], exchangePrefix: '' },
  createContext,
})

/** The running server, or else the simulator. */
async function open({ options }: SessionOptions, running: string | null): Promise<OpenApi> {
  const { url, stop } = running === null ? await startNotes() : { url: running, stop: async () => undefined }
  const { timeoutMs, maxRequestsPerSecond, risk, only, skip } = options
  const target = { key: 'none' }
  const settings: NotesSettings = { url, target, timeoutMs, maxRequestsPerSecond, secrets: [] }
  return {
    ...{ api: notes, kind: running === null ? 'simulator' : 'url', url, transport: directTransport, capabilities: [] },
    ...{ risk, settings, driver: null, identity: { name: 'Notes', version: '1' } },
    conditions: () => ({ risk, capabilities: [], shared: running !== null }),
    describe: () => `the notes at ${url}`,
    inspect: async () => undefined,
    plan: (chosen) => plan({ checks: chosen, risk, capabilities: [], only, skip }),
    simulate: async () => {
      const simulator = await startNotes()
      const simulated: NotesSettings = { ...settings, url: simulator.url }
      return { settings: simulated, driver: null, stop: simulator.stop }
    },
    consent: async () => undefined,
    verify: async () => ({}),
    close: stop,
  }
}

/** An API that the kit does not know. */
export const notesApi: ApiUnderTest = {
  ...notes,
  choose: ({ target }) => ({
    ...{ target: { key: 'none' }, secrets: [] },
    open: (terms) => open(terms, target.kind === 'url' ? target.url : null),
  }),
  selfTest: async () => ({
    ...{ defects: [onlyOneNote], unmeasurable: [], runScopes: [], otherAnswers: null },
    async judge({ defects }) {
      const { url, stop } = await startNotes(defects.length === 0 ? undefined : onlyOneNote.override())
      const limits = { timeoutMs: 3_000, maxRequestsPerSecond: null, secrets: [] }
      const settings: NotesSettings = { ...limits, url, target: { key: 'none' } }
      const planned = plan({ checks, risk: 'write', capabilities: [], only: [], skip: [] })
      return runPlan(planned, checks, createContext(settings, null, createShared([settings]))).finally(stop)
    },
  }),
}

/** For the worker thread. */
export const apis = [notesApi]
