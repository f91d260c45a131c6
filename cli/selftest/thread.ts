import { parentPort, workerData } from 'node:worker_threads'
import type { SelfTestApi } from '../target/self-test.ts'
import { perform } from './task.ts'
import type { Assignment, Reply } from './threads.ts'

// `workerData` is the URL of the module that exports `apis`.
const { apis } = (await import(workerData as string)) as { readonly apis: readonly SelfTestApi[] }

parentPort?.on('message', async ({ task, replyTo }: Assignment) => {
  const reply = await perform(task, apis).then(
    (results): Reply => ({ results }),
    (error: unknown): Reply => ({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
  replyTo.postMessage(reply)
  replyTo.close()
})
