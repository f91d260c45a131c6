import type { Api } from '../server/api.ts'
import { startReading } from '../server/request-body.ts'

/**
 * An API that reads the body of each request on which a fault is played, up to the limit: the plugin may
 * never come to read it, or only after the client gave up, and no request would be known again.
 */
export function readFaulted(api: Api, limitBytes: number): Api {
  return {
    ...api,
    answer: (request, track) =>
      api.answer(request, (step) => {
        if (step.fault !== undefined) startReading(request, limitBytes)
        track?.(step)
      }),
  }
}
