import type { IncomingMessage } from 'node:http'
import type { Api } from '../../server/api.ts'
import type { Refusal } from '../../server/refusal.ts'
import type { Usage } from './allowance.ts'
import { codeOf } from './coded-refusal.ts'
import { answer } from './pipeline.ts'
import type { PlatformService } from './service.ts'

/** The platform API, as its seams decide. */
export function platformApi(service: PlatformService): Api {
  const { seams, allowance, now, log } = service
  const usages = new WeakMap<IncomingMessage, Usage>()
  return {
    answer: async (request) => {
      const usage = allowance.use(now())
      usages.set(request, usage)
      if (usage.left < 0) throw seams.tooManyRequests(usage)
      return answer(request, service)
    },
    refused: (refusal: Refusal) => {
      const { status, message, headers } = refusal
      const { body, type } = seams.errorBody({ status, code: codeOf(refusal), message })
      return { status, body, headers: { 'Content-Type': type, ...headers } }
    },
    finish: (answered, request) => {
      const usage = usages.get(request)
      const headers = usage === undefined ? {} : seams.everyHeader(usage)
      return seams.finish({ ...answered, headers: { ...answered.headers, ...headers } }, request)
    },
    unexpected: seams.unexpected,
    unparsable: seams.unparsable,
    lowerCaseMethod: seams.lowerCaseMethod,
    unknownMethod: seams.unknownMethod,
    acceptsConnections: true,
    log,
  }
}
