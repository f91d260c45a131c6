import type { Answer } from './answer.ts'
import type { Api } from './api.ts'
import { Dropped, Refusal } from './refusal.ts'

/**
 * The answer to a request that was not served; undefined where it gets none. What nobody foresaw
 * is logged and answered without a word about its cause.
 */
export function failed(
  error: unknown,
  { refused, unexpected, log }: Pick<Api, 'refused' | 'unexpected' | 'log'>,
): Answer | undefined {
  if (error instanceof Dropped) return undefined
  if (error instanceof Refusal) return refused(error)
  log({ level: 'error', event: 'unexpected-error', reason: error instanceof Error ? error.stack : String(error) })
  return refused(unexpected(error))
}
