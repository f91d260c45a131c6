import type { IncomingMessage } from 'node:http'
import type { HttpApi } from '../server/api.ts'
import type { ErrorResponse } from '../server/error-response.ts'
import { codeOf } from './coded-error-response.ts'
import { handleRequest } from './pipeline.ts'
import type { RateLimitUsage } from './rate-limit.ts'
import type { PlatformService } from './service.ts'

/** The platform API, built from its hooks. */
export function platformApi(service: PlatformService): HttpApi {
  const { hooks, rateLimiter, now, log } = service
  const usages = new WeakMap<IncomingMessage, RateLimitUsage>()
  return {
    respond: async (request) => {
      const usage = rateLimiter.use(now())
      usages.set(request, usage)
      if (usage.remaining < 0) throw hooks.tooManyRequests(usage)
      return handleRequest(request, service)
    },
    renderError: (errorResponse: ErrorResponse) => {
      const { status, message, headers } = errorResponse
      const { body, type } = hooks.errorBody({ status, code: codeOf(errorResponse), message })
      return { status, body, headers: { 'Content-Type': type, ...headers } }
    },
    finish: (response, request) => {
      const usage = usages.get(request)
      const headers = usage === undefined ? {} : hooks.everyHeader(usage)
      return hooks.finish({ ...response, headers: { ...response.headers, ...headers } }, request)
    },
    unexpected: hooks.unexpected,
    unparsable: hooks.unparsable,
    lowerCaseMethod: hooks.lowerCaseMethod,
    unknownMethod: hooks.unknownMethod,
    acceptsConnections: true,
    log,
  }
}
