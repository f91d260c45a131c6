import { spawn, spawnSync } from 'node:child_process'
import { onTestFinished, test } from 'vitest'
import { main } from './command.ts'

/** The pseudo-terminal comes from util-linux. With CI=true it must be present. */
const hasTerminal = String(spawnSync('script', ['--version']).stdout).includes('util-linux')
if (!hasTerminal) console.warn('SKIPPED: there is no `script` of util-linux for tests at a terminal')

/** A test that needs a terminal. */
export const atTerminal = test.skipIf(!hasTerminal && process.env.CI !== 'true')

/** The text on a terminal, without colours and cursor movements. */
function plainText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal gets them
  return text.replaceAll(/\u001b\[[0-9;?]*[a-zA-Z]|\r/g, '')
}

export interface Terminal {
  /** Resolves when this has been shown since the last call; returns everything shown since then. */
  shown(pattern: RegExp): Promise<string>
  press(keys: string): void
  readonly ended: Promise<{ readonly code: number | null; readonly screen: string }>
}

export interface TerminalOptions {
  readonly cwd: string
  readonly apiKey: string
  /** Appended to the command in the shell, like `| tee log`. */
  readonly redirect?: string
  /** Default: 300. */
  readonly columns?: number
  /** Default: the compiled command, started by Node.js. */
  readonly program?: readonly string[]
}

/** Runs the command in a pseudo-terminal. */
export function startInTerminal(
  args: readonly string[],
  { cwd, apiKey, redirect, columns = 300, program = [process.execPath, main] }: TerminalOptions,
): Terminal {
  const run = redirect === undefined ? 'exec' : ''
  const line = [`stty cols ${columns} rows 50;`, run, ...program, ...args, redirect ?? ''].join(' ')
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    cwd,
    env: { ...process.env, TCK_API_KEY: apiKey, NO_COLOR: '1', TERM: 'xterm' },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let screen = ''
  let looked = 0
  const looks = new Set<() => void>()
  child.stdout.on('data', (chunk: Buffer) => {
    screen += chunk.toString('utf8')
    for (const look of looks) look()
  })
  const ended = new Promise<{ code: number | null; screen: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, screen: plainText(screen) })),
  )
  return {
    ended,
    press: (keys) => void child.stdin.write(keys),
    shown: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const fresh = plainText(screen.slice(looked))
          if (!pattern.test(fresh)) return
          looks.delete(look)
          looked = screen.length
          resolve(fresh)
        }
        looks.add(look)
        look()
        void ended.then((end) =>
          reject(new Error(`ended with ${end.code}, without showing ${pattern}:\n${end.screen}`)),
        )
      }),
  }
}
