import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Profile } from '../../simulator/index.ts'
import { UsageError } from '../command-error.ts'

const shape =
  'It holds { "plugin": { "answers": { "<question>": "<answer>" } } }, as YAML or JSON; see copytrade-tck questions.'

/**
 * The answers of a profile file; whether there are such questions and answers is for the simulator to say.
 *
 * @throws {UsageError} when the file cannot be read, or holds no answers
 */
export function readAnswers(path: string): Partial<Profile> {
  const document = read(path) as { plugin?: { answers?: unknown } } | null
  const answers = document?.plugin?.answers
  if (typeof answers === 'object' && answers !== null && !Array.isArray(answers)) return answers as Partial<Profile>
  throw new UsageError(`--profile ${path} holds no answers.`, shape)
}

function read(path: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8'), { schema: 'failsafe' })
  } catch (cause) {
    throw new UsageError(`--profile cannot be read: ${(cause as Error).message}.`, shape, { cause })
  }
}
