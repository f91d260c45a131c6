import { parentPort, workerData } from 'node:worker_threads'
import type { SelfTestApi } from '../target/self-test.ts'
import { perform, type Result, type SelfTestTask } from './task.ts'

export interface Assignment {
  readonly id: number
  readonly task: SelfTestTask
}

export type Reply =
  | { readonly id: number; readonly results: readonly Result[] }
  | { readonly id: number; readonly error: string }

// `workerData` is the URL of the module that exports `apis`.
const { apis } = (await import(workerData as string)) as { readonly apis: readonly SelfTestApi[] }

parentPort?.on('message', ({ id, task }: Assignment) => {
  perform(task, apis).then(
    (results) => reply({ id, results }),
    (error: unknown) => reply({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
})

function reply(message: Reply): void {
  parentPort?.postMessage(message)
}
