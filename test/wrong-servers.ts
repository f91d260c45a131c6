import { spawnSync } from 'node:child_process'
import { type Program, programOf } from '../fixtures/programs.ts'
import { type ServerName, serverCommand } from '../fixtures/servers/child.ts'
import cCaught from '../fixtures/servers/wrong-c/caught.json' with { type: 'json' }
import goCaught from '../fixtures/servers/wrong-go/caught.json' with { type: 'json' }
import javaCaught from '../fixtures/servers/wrong-java/caught.json' with { type: 'json' }
import pythonCaught from '../fixtures/servers/wrong-python/caught.json' with { type: 'json' }

/** A server that conforms unless `FAULTS` names one of the faults that it prints with `--list`. */
export interface WrongServer {
  readonly name: ServerName
  readonly language: Program
  /** The number of rules that it can hold. */
  readonly capacity: number
  /**
   * For each fault a few of the checks that fail for it; an empty list for a fault that is not detected yet. A fault
   * that is absent needs a full list or the requests of many checks.
   */
  readonly caught: Readonly<Record<string, readonly string[]>>
  /** Whether checks of `expected` and `robustness` requirements also count, as with `run --strict`. */
  readonly strict: boolean
  /** Faults under which a whole run takes half an hour: only the recorded checks are run. */
  readonly slow: readonly string[]
}

export const wrongServers: readonly WrongServer[] = [
  { name: 'wrong-python', language: 'python3', capacity: 400, caught: pythonCaught, strict: false, slow: [] },
  { name: 'wrong-go', language: 'go', capacity: 500, caught: goCaught, strict: false, slow: [] },
  { name: 'wrong-java', language: 'javac', capacity: 800, caught: javaCaught, strict: false, slow: [] },
  { name: 'wrong-c', language: 'gcc', capacity: 600, caught: cCaught, strict: true, slow: ['one-client-at-a-time'] },
]

/** The names of all its faults; empty if the machine cannot start it. */
export function faultsOf({ name, language }: WrongServer): readonly string[] {
  if (programOf(language) === null) return []
  const [program, ...args] = serverCommand(name)
  const { status, stdout } = spawnSync(program, [...args, '--list'], { encoding: 'utf8' })
  return status === 0 ? (JSON.parse(stdout) as { name: string }[]).map(({ name: fault }) => fault) : []
}

/** A shell command that starts the server with this fault; an empty string stands for none. */
export function shellCommand({ name }: WrongServer, fault: string): string {
  const quoted = serverCommand(name).map((part) => `"${part}"`)
  return `FAULTS=${fault} exec ${quoted.join(' ')}`
}
