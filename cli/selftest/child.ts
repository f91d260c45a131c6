import type { SelfTestApi } from '../target/self-test.ts'
import type { Assignment, Reply } from './processes.ts'
import { perform } from './task.ts'

const [, , apisModule = ''] = process.argv
const { apis } = (await import(apisModule)) as { readonly apis: readonly SelfTestApi[] }

// The process that started this one has ended.
process.on('disconnect', () => process.exit())

process.on('message', async ({ id, task }: Assignment) => {
  const reply = await perform(task, apis).then(
    (results): Reply => ({ id, results }),
    (error: unknown): Reply => ({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
  process.send?.(reply)
})
