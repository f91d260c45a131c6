import type { IncomingMessage } from 'node:http'
import type { Api } from '../server/api.ts'
import type { ErrorResponse } from '../server/error-response.ts'
import { codeOf } from './coded-error-response.ts'
import { answer } from './pipeline.ts'
import type { Usage } from './rate-limit.ts'
import type { PlatformService } from './service.ts'

/** The platform API, as its seams decide. */
export function platformApi(service: PlatformService): Api {
  const { hooks, allowance, now, log } = service
  const usages = new WeakMap<IncomingMessage, Usage>()
  return {
    answer: async (request) => {
      const usage = allowance.use(now())
      usages.set(request, usage)
      if (usage.left < 0) throw hooks.tooManyRequests(usage)
      return answer(request, service)
    },
    refused: (refusal: ErrorResponse) => {
      const { status, message, headers } = refusal
      const { body, type } = hooks.errorBody({ status, code: codeOf(refusal), message })
      return { status, body, headers: { 'Content-Type': type, ...headers } }
    },
    finish: (answered, request) => {
      const usage = usages.get(request)
      const headers = usage === undefined ? {} : hooks.everyHeader(usage)
      return hooks.finish({ ...answered, headers: { ...answered.headers, ...headers } }, request)
    },
    unexpected: hooks.unexpected,
    unparsable: hooks.unparsable,
    lowerCaseMethod: hooks.lowerCaseMethod,
    unknownMethod: hooks.unknownMethod,
    acceptsConnections: true,
    log,
  }
}
