import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { type Ended, emptyFolder, main } from './command.ts'

export const root = fileURLToPath(new URL('..', import.meta.url))

export const fileOf = (path: string): string => readFileSync(join(root, path), 'utf8')

type Variables = Readonly<Record<string, string>>

/** A step of a GitHub job, or of an action. */
export interface Step {
  readonly id?: string
  readonly uses?: string
  readonly with?: Variables
  readonly run?: string
  readonly env?: Variables
}

/** Replaces `${{ name }}` in the values of a step; a name without a value becomes empty. */
export function filled(values: Variables = {}, given: Variables = {}): Variables {
  const fill = (text: string) => String(text).replaceAll(/\$\{\{ (.+?) \}\}/g, (_, name) => given[name] ?? '')
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, fill(text)]))
}

const action = parse(fileOf('action.yml')) as {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>
  readonly runs: { readonly steps: readonly [install: Step, judge: Step] }
}

/** The names of the action's inputs. */
export const actionInputs = Object.keys(action.inputs)

/** The steps of the action. The second one gets the inputs as variables. */
export function actionSteps(given: Variables = {}): readonly [install: Step, judge: Step] {
  const values = actionInputs.map((name) => [`inputs.${name}`, given[name] ?? action.inputs[name]?.default ?? ''])
  const [install, judge] = action.runs.steps
  return [install, { ...judge, env: filled(judge.env, Object.fromEntries(values)) }]
}

interface Place {
  readonly cwd: string
  readonly env: Variables
  readonly shell?: 'bash' | 'sh'
}

/** Runs a script like an engine, with no other variables. `npm` does nothing, since the kit is installed. */
export function runScript(script: string, { cwd, env, shell = 'bash' }: Place): Promise<Ended> {
  const bin = join(emptyFolder(), 'bin')
  mkdirSync(bin)
  const npx = `#!/bin/sh\n[ "$1" = copytrade-tck ] || exit 127\nshift\nexec "${process.execPath}" "${main}" "$@"\n`
  for (const [name, text] of Object.entries({ npx, npm: '#!/bin/sh\n' })) {
    writeFileSync(join(bin, name), text)
    chmodSync(join(bin, name), 0o755)
  }
  const args = shell === 'bash' ? ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script] : ['-c', script]
  const path = [bin, process.env.PATH].join(delimiter)
  return new Promise((resolve) => {
    const options = { cwd, env: { PATH: path, HOME: cwd, NO_COLOR: '1', ...env }, maxBuffer: 2 ** 26 }
    const child = execFile(shell, args, options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
}
