import { once } from 'node:events'
import type { RunSettings } from '../../suites/runner/context.ts'
import type { PlannedCheck } from '../../suites/runner/plan.ts'
import { linesStream } from '../target/notice.ts'
import type { ReadySession } from '../target/session.ts'

/** The session with settings by which the servers of the last check stay as it leaves them. */
export function keepingServers(session: ReadySession, planned: readonly PlannedCheck[]): ReadySession {
  const last = planned.findLast(({ outOfScope }) => outOfScope === null)
  const { plugin } = session.settings
  if (last === undefined || plugin === null) return session
  const settings: RunSettings = { ...session.settings, plugin: { ...plugin, keepServerOf: last.id } }
  return { ...session, settings }
}

/** Says where the servers of the last check run, and waits for a signal. */
export async function waitForSignal({ options, settings, plugin, signal }: ReadySession): Promise<void> {
  const [main, ...launched] = plugin?.running() ?? []
  const urls = launched.length > 0 ? launched : [main]
  const check = settings.plugin?.keepServerOf
  if (signal.aborted || check === undefined || main === undefined) return
  linesStream(options.reporter).write(`\nThe server of ${check} runs at ${urls.join(', ')}. Press Ctrl-C to end it.\n`)
  await once(signal, 'abort')
}
