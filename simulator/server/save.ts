import type { ApiHooks, HttpApi } from './api.ts'

type SavingApi = Pick<HttpApi, 'log'> & { readonly hooks: Pick<ApiHooks<string, string>, 'notSaved'> }

/** @throws ErrorResponse if a change cannot be saved */
export function saveOrReject({ hooks, log }: SavingApi, save: () => Promise<void>): Promise<void> {
  return save().catch((error: unknown) => {
    log({ level: 'error', event: 'save-failed', reason: error instanceof Error ? error.message : String(error) })
    throw hooks.notSaved()
  })
}
