import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { freePort } from '../fixtures/free-port.ts'
import { emptyFolder } from './command.ts'

export const supervisedKey = 'a-key-that-nobody-may-see'

/** The shell command of a server that conforms. */
export const plain = `"${process.execPath}" "${fileURLToPath(new URL('../fixtures/servers/plain.mjs', import.meta.url))}"`
const execute = promisify(execFile)

/** What an operating system does for a service, as a shell script: `sh supervise.sh start` etc. */
function supervisorScript(folder: string, port: number, program: string): string {
  return `cd "${folder}"
gone() {
  kill -0 "$1" 2>/dev/null || return 0
  # An ended process that nobody has waited for yet still has its id.
  case "$(ps -o stat= -p "$1")" in Z*) return 0 ;; esac
  return 1
}
stop() {
  kill -s "$1" "$(cat pid)" 2>/dev/null
  until gone "$(cat pid)"; do sleep 0.02; done
}
start() {
  TCK_PORT=${port} TCK_DATA_DIR="${folder}" TCK_PARAMETERS="${folder}/parameters.json" \
    ${program} </dev/null >/dev/null 2>&1 &
  echo $! >pid
}
case "$1" in
  start) start ;;
  stop) stop TERM ;;
  kill) stop KILL ;;
  restart) stop TERM && start ;;
  set-parameters) cp "$TCK_PARAMETERS" parameters.json ;;
  delete-rules-file) rm -f ServiceCopyTrade_rules.dat ;;
esac
`
}

export type SupervisedStep = 'start' | 'stop' | 'restart' | 'kill' | 'set-parameters' | 'delete-rules-file'

/** A plugin in a separate process that outlives any run, with foreign rules in a specific order. */
export interface SupervisedServer {
  readonly url: string
  readonly folder: string
  /** File with its current parameters. */
  readonly parametersFile: string
  /** A copy of the original parameters. */
  readonly before: string
  do(step: SupervisedStep): Promise<unknown>
  /** The option of the shell hook for this step, with its usual command or another one. */
  hook(step: Exclude<SupervisedStep, 'kill'>, command?: string): readonly [string, string]
  /** The command of that shell hook. */
  commandOf(step: SupervisedStep): string
  /** The list as the API shows it, as text, to compare it exactly. */
  list(): Promise<string>
  parameters(): Record<string, string>
}

/**
 * Starts a server, which ends with the test. Concurrent tests must each pass their own `onTestFinished`. `program` is
 * the shell command of a server that conforms to the contract of `--exec`.
 */
export async function startSupervised(
  onEnd: typeof onTestFinished = onTestFinished,
  program = plain,
): Promise<SupervisedServer> {
  const folder = emptyFolder(onEnd)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const parametersFile = join(folder, 'parameters.json')
  const before = join(folder, 'before.json')
  const parameters = {
    API_Key: supervisedKey,
    API_Port: String(port),
    Copy_1: '3001>4001,4002,mult,1.5,same',
    Copy_7: '3002>4003,fixed,0.25,reverse',
    Licence: 'of nobody else',
  }
  for (const file of [parametersFile, before]) writeFileSync(file, JSON.stringify(parameters))
  const script = join(folder, 'supervise.sh')
  writeFileSync(script, supervisorScript(folder, port, program))
  const run = (step: string) => execute('sh', [script, step])
  onEnd(async () => void (await run('kill')))
  await run('start')
  const headers = { 'X-API-Key': supervisedKey, 'Content-Type': 'application/json', Connection: 'close' }
  while (!(await fetch(`${url}/api/status`).catch(() => null))) await delay(10)
  for (const follower of [6003, 6001, 6002]) {
    const rule = { master: 5005, follower, mode: 'fixed', value: 2, direction: 'same' }
    await fetch(`${url}/api/rules`, { method: 'POST', headers, body: JSON.stringify(rule) })
  }
  const commandOf = (step: string) => `sh "${script}" ${step}`
  return {
    url,
    folder,
    parametersFile,
    before,
    do: run,
    commandOf,
    hook: (step, command = commandOf(step)) => [`--hook-${step}`, command],
    list: async () => (await fetch(`${url}/api/rules`, { headers })).text(),
    parameters: () => JSON.parse(readFileSync(parametersFile, 'utf8')) as Record<string, string>,
  }
}
