// Runs a plan in a worker thread and prints the result: node run-in-worker.mjs <settings, plan and limit as JSON>
import { apisModule } from '../../dist/cli/target/apis.js'
import { runInWorker, startThread } from '../../dist/suites/runner/run-in-worker.js'

const { settings, plan, checkTimeoutMs, abort } = JSON.parse(process.argv[2])
const aborting = new AbortController()
const shown = []
const onOutcome = ({ check }) => {
  shown.push(check)
  if (abort) aborting.abort()
}
const redact = (text) => text.replaceAll(settings.plugin.target.key, '[redacted]')
const ways = { driver: null, jobs: 2, expectedAnswers: null, signal: aborting.signal, readsOnly: true, redact }
const run = { settings, plan, checkTimeoutMs, onOutcome, ...ways }
const result = await runInWorker({ ...run, thread: startThread(apisModule) }).then(
  (outcomes) => ({ outcomes: outcomes.map(({ check, status, message }) => ({ check, status, message })) }),
  ({ name, message }) => ({ error: { name, message } }),
)
process.stdout.write(JSON.stringify({ ...result, shown }))
