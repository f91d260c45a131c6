import { expectJsonType, failure, malformedErrorIn } from '../../assertions/expect.ts'
import { type FailedExpectation, failureOf } from '../../assertions/failure.ts'
import { isObject } from '../../client/json.ts'
import type { Observer, Sent } from '../../client/observed.ts'
import { mayBeOfGateway } from '../../client/proxied.ts'
import { isHead } from '../../client/raw.ts'
import { type HttpResponse, isSuccess } from '../../client/response.ts'
import { listIn } from '../../session/rules.ts'
import type { Seen } from '../../session/session.ts'

type Judgement = (response: HttpResponse, sent: Sent) => FailedExpectation | null

/** What is judged in every response, with the name of the finding. */
const judgements = {
  malformedError(response) {
    const failed = response.status < 400 ? null : malformedErrorIn(response)
    // Another check may have sent the request, so the text names it.
    return failed?.with({ body: `${response.status} to ${nameOf(response)}: ${failed.data.body || '(empty)'}` }) ?? null
  },
  wrongTotal(response, sent) {
    const length = sent.kind === 'request' ? listIn(sent.request, response)?.length : undefined
    const { total: actual } = (response.json ?? {}) as { readonly total?: unknown }
    if (length === undefined || actual === length) return null
    return failure('list.total-wrong', { expected: length, actual, response })
  },
  wrongMediaType(response, sent) {
    // A server may have other paths, whose responses are not specified.
    const isDocumented = sent.kind === 'request' && /^\/api\/(?:status|rules)\b/.test(sent.request.path)
    if (!isDocumented || !isSuccess(response) || !isObject(response.json)) return null
    return failureOf(() => expectJsonType(response))
  },
  unsuccessfulChange(response, sent) {
    const isChange = sent.kind === 'request' && ['POST', 'DELETE'].includes(sent.request.method)
    const success = isObject(response.json) ? response.json.success : undefined
    if (!isChange || !isSuccess(response) || success !== false) return null
    return failure('body.success-not-true', { actual: success, difference: 'false', response })
  },
} satisfies Partial<Record<keyof Seen, Judgement>>

/** The request that got this response. Some paths have thousands of characters. */
function nameOf({ exchange: { request } }: HttpResponse): string {
  const { method, url, body } = request
  const [firstLine = ''] = (body ?? '').split(/[\r\n]/, 1)
  return (method === 'RAW' ? `the raw bytes ${firstLine}` : `${method} ${new URL(url).pathname}`).slice(0, 100)
}

type Kind = keyof typeof judgements

/**
 * Judges every response of a run. In front of a server that the kit did not start there can be a reverse proxy, which
 * rejects some requests itself, in its own form.
 */
export function createResponseJudge(owned: boolean) {
  const disabled = new Set<string>()
  const found: Partial<Record<Kind, FailedExpectation | null>> = {}
  const mayBeOfProxy = (sent: Sent, response: HttpResponse) => {
    // A proxy may reject malformed HTTP, and a NUL, a slash or a damaged escape in the path.
    const mayReachServer = sent.kind === 'request' && !/%(?:00|2f|(?![\da-f]{2}))/i.test(sent.request.path)
    return !owned && (!mayReachServer || ofLimits.includes(response.status) || mayBeOfGateway(response))
  }
  return {
    observe: ((sent) => (received) => {
      for (const [place, response] of received.responses.entries()) {
        // A response to HEAD has no body.
        if (sent.kind === 'bytes' ? isHead(sent.request, place) : sent.request.method === 'HEAD') continue
        if (mayBeOfProxy(sent, response) || disabled.has(sent.url)) continue
        for (const kind of Object.keys(judgements) as Kind[]) found[kind] ??= judgements[kind](response, sent)
      }
    }) satisfies Observer,
    /** Called when a server gets parameters. The responses of a disabled API are not specified. */
    setDisabled(url: string, isDisabled: boolean) {
      if (isDisabled) disabled.add(url)
      else disabled.delete(url)
    },
    /** The first wrong response of each kind. */
    found: found as Readonly<typeof found>,
  }
}

/** Statuses by which a proxy rejects large bodies, paths and headers, and too many requests. */
const ofLimits = [413, 414, 429, 431]
