import { type Command, Help, type Option } from 'commander'
import { expect, test } from 'vitest'
import { createProgram } from './program.ts'

/** The page must not depend on the width of the terminal. */
const help = Object.assign(new Help(), { helpWidth: 10_000 })

function optionTable(options: readonly Option[]): readonly string[] {
  const rows = options.map((option) => {
    // Defaults that are off or empty need not be stated.
    const meaning = help
      .optionDescription(option)
      .replace(/ \(default: (false|\[\])\)/, '')
      .replaceAll('<', '\\<')
    return `| \`${help.optionTerm(option)}\` | ${meaning} |`.replaceAll(/(?<=\w)\|(?=\w)/g, '\\|')
  })
  return ['| Option | Meaning |', '| --- | --- |', ...rows]
}

const heading = ({ helpGroupHeading }: Option) => helpGroupHeading ?? 'Options:'

/** The options of a command, under the headings that its help has. */
function optionGroups({ options }: Command): readonly string[] {
  return [...new Set(options.map(heading))].flatMap((title) => [
    `**${title.replace(/:$/, '')}**`,
    '',
    ...optionTable(options.filter((option) => heading(option) === title)),
    '',
  ])
}

/** The text that a command prints below its options. */
function notes(command: Command): readonly string[] {
  let printed = ''
  command.configureOutput({ writeOut: (part) => (printed += part), getOutHelpWidth: () => 10_000 })
  command.outputHelp()
  const text = printed.slice(command.helpInformation().length).trim()
  return text === '' ? [] : ['```text', text, '```', '']
}

function commandSection(command: Command, parent: string): readonly string[] {
  const name = `${parent} ${command.name()}`
  return [
    `## ${name}`,
    '',
    `${command.description()}`,
    '',
    '```text',
    `${name} ${command.usage()}`,
    '```',
    '',
    ...optionGroups(command),
    ...notes(command),
    ...command.commands.flatMap((subcommand) => commandSection(subcommand, name)),
  ]
}

test('docs/cli.md holds the options of every command; `-u` writes it again', async () => {
  const { commands } = createProgram()
  const page = [
    '# Command line reference',
    '',
    'This page is generated from the program. Do not edit it; run `npx vitest run --project unit cli/reference -u`.',
    '',
    ...commands.flatMap((command) => commandSection(command, 'copytrade-tck')),
  ]
  await expect(`${page.join('\n').trim()}\n`).toMatchFileSnapshot('../docs/cli.md')
})
