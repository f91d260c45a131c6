import { fileURLToPath } from 'node:url'
import type { Program, Started, Workspace } from './workspace.ts'

const place = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** The top folder of the project. */
export const root = place('..')

export const apiKey = 'key-of-the-benchmark'
export const withKey = { 'x-api-key': apiKey }

/** The built command line with these arguments. */
export const product = (...args: readonly string[]): Program => ({
  command: process.execPath,
  args: [place('../dist/cli/main.js'), ...args],
})

/** A program of `limits/` with these arguments. */
export const limit = (name: string, ...args: readonly (string | number)[]): Program => ({
  command: process.execPath,
  args: [place(`limits/${name}`), ...args.map(String)],
})

export interface SimulatorOptions {
  /** The initial number of rules. */
  readonly rules: number
  /** The folder of the rules file. Without it, rules are kept in memory. */
  readonly dataDir?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export function simulator(workspace: Workspace, options: SimulatorOptions): Promise<Started> {
  const { rules, dataDir, args = [], env = {} } = options
  const copies = Array.from({ length: rules }, (_, index) => [
    `Copy_${index + 1}`,
    `1001>${2001 + index},mult,1.5,same`,
  ])
  const parameters = JSON.stringify({ API_Key: apiKey, ...Object.fromEntries(copies) })
  const file = workspace.write(`parameters-${rules}.json`, parameters)
  const saved = dataDir === undefined ? [] : ['--data-dir', dataDir]
  return workspace.serve((port) => {
    const program = product(
      'simulate',
      '--port',
      `${port}`,
      '--capacity',
      '1000000',
      '--params',
      file,
      ...saved,
      ...args,
    )
    return { ...program, env }
  })
}
