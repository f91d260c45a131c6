import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** It is for contributors. */
const pageOfTests = 'docs/testing.md'

/** The paths of the documents for users and for contributors. */
export const userPages = [
  'README.md',
  ...readdirSync(`${root}docs`, 'utf8')
    .map((name) => `docs/${name}`)
    .filter((name) => isPage(name) && name !== pageOfTests),
]
export const allPages = [
  ...userPages,
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  pageOfTests,
  'CHANGELOG.md',
  'examples/vitest/README.md',
]

/** A fenced block. */
export interface Block {
  readonly language: string
  readonly text: string
  /** The line of the opening fence, for messages. */
  readonly line: number
}

function isPage(name: string): boolean {
  return name.endsWith('.md')
}

export function readPage(path: string): string {
  return readFileSync(`${root}${path}`, 'utf8')
}

export function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(({ index, 1: language = '', 2: text = '' }) => ({
    language,
    text,
    line: page.slice(0, index).split('\n').length,
  }))
}

/** The commands of a block, each on one line. In a `console` block they follow a `$`. */
export function commandsOf({ language, text }: Block): readonly string[] {
  const lines = text.replaceAll(/\\\n\s*/g, ' ').split('\n')
  if (language === 'console') return lines.flatMap((line) => /^\$ (.*)/.exec(line)?.[1] ?? [])
  return lines.filter((line) => line !== '' && !line.startsWith('#'))
}

/** The output that a `console` block shows below each command. */
export function outputsOf({ text }: Block): readonly string[] {
  return text
    .split(/^\$ .*\n/m)
    .slice(1)
    .map((output) => output.trimEnd())
}

export const shellBlocks = (page: string) => blocksOf(page).filter(({ language }) => /^(sh|console)$/.test(language))
