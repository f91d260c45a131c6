import type { HttpResponse } from '../../server/response.ts'
import type { PlatformService } from '../service.ts'
import type { AppliedOperation } from './apply.ts'

/** Saves the accounts before they become visible. If saving fails, no client has seen the new one. */
export async function save({ response, accounts }: AppliedOperation, service: PlatformService): Promise<HttpResponse> {
  if (accounts === undefined) return response
  const { hooks, records, write, log } = service
  const next = { ...records.current(), accounts }
  try {
    await hooks.save(() => write(next))
  } catch (error) {
    log({ level: 'error', event: 'save-failed', reason: error instanceof Error ? error.message : String(error) })
    throw hooks.notSaved()
  }
  records.publish(next)
  return response
}
