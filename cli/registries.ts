import { readFile } from 'node:fs/promises'
import { Argument, Command } from 'commander'
import type { Question } from '../spec/question.ts'
import type { Requirement } from '../spec/requirement.ts'

/** `requirements`, `questions`, `defects` and `openapi`: print the registries of the kit. */
export function registryCommands(): readonly Command[] {
  return [
    registryCommand('requirements', readRequirements).description(
      'Print the requirements of the specification, and the sentences that cannot be judged.',
    ),
    registryCommand('questions', readQuestions).description(
      'Print the open questions of the specification, and the answers that a server may give.',
    ),
    registryCommand('defects', readDefects).description('Print the defects that `simulate --defect` can reproduce.'),
    new Command('openapi')
      .description('Print the OpenAPI 3.1 document of an API.')
      .addArgument(new Argument('<api>', 'API').choices(['plugin', 'platform']))
      .action(async (api: string) => {
        process.stdout.write(await readFile(new URL(`../spec/openapi/${api}.yaml`, import.meta.url), 'utf8'))
      }),
  ]
}

function registryCommand(name: string, read: () => Promise<{ readonly data: object; readonly text: string }>): Command {
  return new Command(name).option('--json', 'Print JSON', false).action(async ({ json }: { json: boolean }) => {
    const { data, text } = await read()
    process.stdout.write(json ? `${JSON.stringify(data, null, 2)}\n` : text)
  })
}

// The registries are loaded only here, since the command must start fast.

async function readRequirements() {
  const { platformRequirements, platformUnjudged } = await import('../spec/platform/requirements.ts')
  const { pluginRequirements, pluginUnjudged } = await import('../spec/plugin/requirements.ts')
  const requirements = [...pluginRequirements, ...platformRequirements]
  const unjudged = [...pluginUnjudged, ...platformUnjudged]
  const judgedLines = requirements.map(
    ({ id, clause, level, statement }: Requirement) => `${id}  (clause ${clause}, ${level})\n  ${statement}\n`,
  )
  const unjudgedLines = unjudged.map(
    ({ id, clause, sentence, reason }) => `${id}  (clause ${clause}, not judged)\n  ${sentence}\n  ${reason}\n`,
  )
  return { data: { requirements, unjudged }, text: [...judgedLines, ...unjudgedLines].join('') }
}

async function readDefects() {
  const { pluginDefects } = await import('../simulator/plugin/defects/index.ts')
  const { platformDefects } = await import('../simulator/platform/defects/index.ts')
  const defects = [...pluginDefects, ...platformDefects].map(({ id, breaks, summary }) => ({ id, breaks, summary }))
  const lines = defects.map(({ id, breaks, summary }) => `${id}  (breaks ${breaks.join(', ')})\n  ${summary}\n`)
  return { data: { defects }, text: lines.join('') }
}

async function readQuestions() {
  const { platformQuestions } = await import('../spec/platform/questions.ts')
  const { pluginQuestions } = await import('../spec/plugin/questions.ts')
  const questions: readonly Question[] = [...pluginQuestions, ...platformQuestions]
  const lines = questions.map((question) => {
    const answers = Object.entries(question.answers).map(
      ([answer, meaning]) => `  ${answer === question.default ? '*' : '-'} ${answer}: ${meaning}\n`,
    )
    return `${question.id}  (clause ${question.clause})\n  ${question.question}\n${answers.join('')}`
  })
  return { data: { questions }, text: lines.join('') }
}
