import type { IncomingMessage } from 'node:http'
import type { RuleList } from '../../model/rule-list.ts'
import type { Answer } from '../../server/answer.ts'
import type { Api } from '../../server/api.ts'
import { readAlready } from '../../server/read-up-to.ts'
import type { Step } from '../../server/track.ts'
import { decide } from './decision.ts'
import type { JournalBook } from './journal.ts'
import { safeHeaders, withoutKey } from './redact.ts'

/** What a journal looks at beside the request. */
export interface Watched {
  readonly rules: () => RuleList
  readonly key: string
}

/** A request on its way. */
interface Open {
  readonly startedAt: number
  readonly atMs: number
  readonly before: RuleList
  steps: Step
}

const textLimit = 4_096

/** An API all of whose requests are written into a journal, with what was decided and why. */
export function journaled(api: Api, journal: JournalBook, { rules, key }: Watched): Api {
  const open = new WeakMap<IncomingMessage, Open>()

  async function close(request: IncomingMessage, answer: Answer | null): Promise<void> {
    const state = open.get(request)
    if (state === undefined) return
    open.delete(request)
    const { method = '', url = '', rawHeaders } = request
    const { stage = null, operation = null, fault = null } = state.steps
    const sent = answer ?? state.steps.sent
    const status = sent?.status ?? null
    const text = sent?.body === undefined ? null : Buffer.from(sent.body).toString()
    const [path = ''] = url.split('?')
    const safe = (some: string) => withoutKey(some, key)
    const target = safe(url)
    const after = rules()
    journal.write({
      before: state.before,
      after,
      entry: {
        at: new Date(state.atMs).toISOString(),
        method,
        target: cut(target),
        keyInTarget: target !== url,
        headers: safeHeaders(rawHeaders, key),
        body: await bodyOf(request, safe),
        status,
        answer: text === null ? null : cut(safe(text)),
        stage,
        operation,
        ...decide({ status, method, path, stage, operation, reason: safe(reasonIn(status, text)) }),
        fault,
        durationMs: Math.round(performance.now() - state.startedAt),
        rulesBefore: state.before.length,
        rulesAfter: after.length,
      },
    })
  }

  return {
    ...api,
    answer: async (request, track) => {
      const state: Open = { startedAt: performance.now(), atMs: journal.clock.now(), before: rules(), steps: {} }
      open.set(request, state)
      const follow = (step: Step) => {
        state.steps = { ...state.steps, ...step }
        track?.(step)
      }
      try {
        return await api.answer(request, follow)
      } catch (error) {
        if (error instanceof Error && error.name === 'Dropped') await close(request, null)
        throw error
      }
    },
    finish: (answer, request) => {
      const last = api.finish(answer, request)
      void close(request, last)
      return last
    },
    unparsable: (problem) => strange(api.unparsable(problem), journal, rules()),
    unknownMethod: (method) => strange(api.unknownMethod(method), journal, rules()),
  }
}

/** What is no HTTP has neither method nor path that could be told. */
function strange<Outcome extends object>(outcome: Outcome, journal: JournalBook, rules: RuleList): Outcome {
  if ('replaceBy' in outcome) return outcome
  const reason = outcome instanceof Error ? outcome.message : ''
  journal.write({
    before: rules,
    after: rules,
    entry: {
      at: new Date(journal.clock.now()).toISOString(),
      method: '',
      target: '',
      keyInTarget: false,
      headers: [],
      body: null,
      status: 'status' in outcome ? Number(outcome.status) : null,
      answer: null,
      stage: null,
      operation: null,
      decision: `refused, since it is no HTTP that the plugin knows: ${reason}`,
      because: ['plugin.robust.no-http'],
      fault: null,
      durationMs: 0,
      rulesBefore: rules.length,
      rulesAfter: rules.length,
    },
  })
  return outcome
}

async function bodyOf(request: IncomingMessage, safe: (text: string) => string): Promise<string | null> {
  const read = await readAlready(request)
  return read === undefined ? null : cut(safe(Buffer.concat(read.chunks).toString()))
}

/** The error text of an answer that refuses. */
function reasonIn(status: number | null, answer: string | null): string {
  if (status === null || status < 400 || answer === null) return ''
  try {
    const { error } = JSON.parse(answer) as { error?: unknown }
    return typeof error === 'string' ? error : ''
  } catch {
    return ''
  }
}

function cut(text: string): string {
  return text.length <= textLimit ? text : `${text.slice(0, textLimit)}… (${text.length - textLimit} more characters)`
}
