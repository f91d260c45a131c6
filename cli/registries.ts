import { Command } from 'commander'
import { platformQuestions } from '../spec/platform/questions.ts'
import { platformRequirements, platformUnjudged } from '../spec/platform/requirements.ts'
import { pluginQuestions } from '../spec/plugin/questions.ts'
import { pluginRequirements, pluginUnjudged } from '../spec/plugin/requirements.ts'
import type { Question } from '../spec/question.ts'
import type { Requirement } from '../spec/requirement.ts'

const allRequirements = [...pluginRequirements, ...platformRequirements]
const allUnjudged = [...pluginUnjudged, ...platformUnjudged]
const allQuestions = [...pluginQuestions, ...platformQuestions]

/** `requirements`, `questions` and `defects`: print the registries, as text or as JSON. */
export function registryCommands(): readonly Command[] {
  const requirements = new Command('requirements')
    .description('Print the requirements of the specification, and the sentences that cannot be judged.')
    .option('--json', 'Print JSON', false)
    .action(({ json }: { json: boolean }) => {
      const text = json ? toJson({ requirements: allRequirements, unjudged: allUnjudged }) : requirementsText()
      process.stdout.write(text)
    })
  const questions = new Command('questions')
    .description('Print the open questions of the specification, and the answers that a server may give.')
    .option('--json', 'Print JSON', false)
    .action(({ json }: { json: boolean }) => {
      process.stdout.write(json ? toJson({ questions: allQuestions }) : questionsText())
    })
  const defects = new Command('defects')
    .description('Print the defects that `simulate --defect` can reproduce.')
    .option('--json', 'Print JSON', false)
    .action(async ({ json }: { json: boolean }) => {
      const { pluginDefects } = await import('../simulator/plugin/defects/index.ts')
      const { platformDefects } = await import('../simulator/platform/defects/index.ts')
      const shown = [...pluginDefects, ...platformDefects].map(({ id, breaks, summary }) => ({ id, breaks, summary }))
      process.stdout.write(json ? toJson({ defects: shown }) : shown.map(defectText).join(''))
    })
  return [requirements, questions, defects]
}

function requirementsText(): string {
  const judged = allRequirements.map(
    ({ id, clause, level, statement }: Requirement) => `${id}  (clause ${clause}, ${level})\n  ${statement}\n`,
  )
  const unjudged = allUnjudged.map(
    ({ id, clause, sentence, reason }) => `${id}  (clause ${clause}, not judged)\n  ${sentence}\n  ${reason}\n`,
  )
  return [...judged, ...unjudged].join('')
}

function defectText({ id, breaks, summary }: { id: string; breaks: readonly string[]; summary: string }): string {
  return `${id}  (breaks ${breaks.join(', ')})\n  ${summary}\n`
}

function questionsText(): string {
  return allQuestions
    .map((question: Question) => {
      const answers = Object.entries(question.answers).map(
        ([answer, meaning]) => `  ${answer === question.default ? '*' : '-'} ${answer}: ${meaning}\n`,
      )
      return `${question.id}  (clause ${question.clause})\n  ${question.question}\n${answers.join('')}`
    })
    .join('')
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
