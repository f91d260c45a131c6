import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createProgram } from '../cli/program.ts'
import { allPages, blocksOf, commandsOf, readPage, root, shellBlocks, userPages } from './documents/pages.ts'

/** The text of a page without code, which may contain published names. */
const proseOf = (page: string) => page.replaceAll(/^```\w*\n[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '')

/** The text between backticks. */
const inlineCodeOf = (page: string) =>
  [...page.replaceAll(/^```\w*\n[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)

test.each([
  ['README.md', 8_000],
  ['ARCHITECTURE.md', 10_000],
])('%s has at most %i characters', (path, limit) => {
  expect(readPage(path).length).toBeLessThanOrEqual(limit)
})

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(path: string): readonly string[] {
  const headings = [...readPage(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test.each(allPages)('every relative link and anchor in %s resolves', (path) => {
  const links = [...readPage(path).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  const broken = links.filter((link) => {
    if (/^https?:/.test(link)) return false
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? path : normalize(join(dirname(path), file))
    if (!existsSync(join(root, target))) return true
    return anchor !== undefined && !anchorsOf(target).includes(anchor)
  })
  expect(broken).toEqual([])
})

describe('options', () => {
  const { commands } = createProgram()
  const optionsOf = (name: string) => commands.find((one) => one.name() === name)?.options.map(({ long }) => long) ?? []
  const all = new Set(['--help', '--version', ...commands.flatMap(({ options }) => options.map(({ long }) => long))])
  /** Options of docker, npm, Vitest and the fixture servers. */
  const foreign = new Set(['--build-arg', '--list', '--project', '--repeat', '--rounds'])

  test.each(allPages)('every command of the kit in %s exists and has the options that it is given', (path) => {
    const lines = shellBlocks(readPage(path)).flatMap(commandsOf)
    const used = lines.flatMap((line) => {
      const [, name = '', rest = ''] = /npx copytrade-tck (\w[\w-]*)(.*)/.exec(line) ?? []
      const options = rest.replaceAll(/"[^"]*"|'[^']*'/g, '').match(/--[a-z][a-z0-9-]*/g) ?? []
      return name === '' ? [] : [{ name, options }]
    })
    for (const { name, options } of used) {
      expect(commands.map((one) => one.name())).toContain(name)
      expect(optionsOf(name), name).toEqual(expect.arrayContaining(options))
    }
  })

  test.each(allPages)('every option that the text of %s names exists', (path) => {
    const named = inlineCodeOf(readPage(path)).flatMap((code) => code.match(/(?<![\w-])--[a-z][a-z0-9-]*/g) ?? [])
    expect(named.filter((option) => !all.has(option) && !foreign.has(option))).toEqual([])
  })
})

test('every environment variable, type and function that the documents name is in the sources', () => {
  const folders = ['cli', 'simulator', 'suites', 'reports', 'test', '.ci', 'fixtures']
  const sources = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
  )
  const variables = allPages.flatMap((path) => readPage(path).match(/\bTCK_[A-Z_]*[A-Z]\b/g) ?? [])
  const names = ['ARCHITECTURE.md', 'CONTRIBUTING.md']
    .flatMap((path) => inlineCodeOf(readPage(path)))
    .flatMap((code) => code.match(/(?<![\w.<'-])[A-Za-z][a-z]+(?:[A-Z][a-z]+)+\b/g) ?? [])
  const named = new Set([...variables, ...names])
  expect([...named].filter((name) => !sources.some((source) => source.includes(name)))).toEqual([])
})

describe('paths', () => {
  /** `a/{b,c}.ts` names two files, `a/*` any in the folder, and `<clause>` in a name stands for any text. */
  const exists = (path: string): boolean => {
    const [, before = '', choices, after = ''] = /^(.*?)\{([^}]*)\}(.*)$/.exec(path) ?? []
    if (choices !== undefined) return choices.split(',').every((choice) => exists(`${before}${choice}${after}`))
    const [fixed = ''] = path.split(/[*<]/)
    return existsSync(join(root, fixed === path ? path : dirname(`${fixed}x`)))
  }
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .map(({ name }) => name)
  const isPath = (code: string) =>
    /^[\w.{},*<>/-]+$/.test(code) && folders.includes(code.split('/')[0] ?? '') && code.includes('/')
  /** Paths that commands write. */
  const written = /^(dist|tck-report|tck-selftest)\//

  test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/testing.md', ...userPages])(
    'every file that %s names exists',
    (path) => {
      const named = inlineCodeOf(readPage(path)).filter((code) => isPath(code) && !written.test(code))
      expect(named.filter((code) => !exists(code))).toEqual([])
    },
  )

  test('every folder of the tree in ARCHITECTURE.md exists', () => {
    const tree = blocksOf(readPage('ARCHITECTURE.md')).find(({ text }) => /^[\w-]+\/ /.test(text))
    const parents: string[] = []
    const paths = (tree?.text ?? '').split('\n').flatMap((line) => {
      const [, indent = '', names = ''] = /^( *)((?:[\w-]+\/(?:, )?)+)/.exec(line) ?? []
      if (names === '') return []
      const depth = indent.length / 2
      const listed = names.split(', ').map((name) => [...parents.slice(0, depth), name].join(''))
      parents[depth] = names.split(', ')[0] ?? ''
      return listed
    })
    expect(paths.length).toBeGreaterThan(10)
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})

/** Words that a reader would have to learn for this project only, from its glossary. */
const privateWords = [
  ...[
    'undertaking',
    'errand',
    'foresee\\w*',
    'rehearse\\w*',
    'attest\\w*',
    'misled',
    'victim',
    'lend',
    'lent',
    'give back',
  ],
  ...[
    'gives back',
    'given back',
    'take back',
    'witness\\w*',
    'seams?',
    'strangers?',
    'refus\\w+',
    'offences?',
    'soundings?',
  ],
  ...[
    'toothless',
    'by lot',
    'mixed-up',
    'stand-ins?',
    'slam\\w*',
    'mend\\w*',
    'anew',
    'tid(?:y|ied)',
    'tidy up',
    'take away',
  ],
  ...[
    'takes away',
    'taken away',
    'whoever',
    'somebody',
    'nobody',
    'in words',
    'house',
    'rooms?',
    '(?<!there )is no',
    '(?<!there )are no',
    'slow proofs?',
  ],
  ...['to see it again', 'front door', 'with a loud word', 'brings? along'],
]

test('the first change in CONTRIBUTING.md shows lines of the files that it names', () => {
  const page = readPage('CONTRIBUTING.md')
  const examples = [...page.matchAll(/`([\w/.-]+\.ts)`[^`]*:\n\n```ts\n([\s\S]*?)^```$/gm)]
  expect(examples).toHaveLength(2)
  for (const [, file = '', text = ''] of examples) {
    const lines = readPage(file).split('\n')
    expect(
      text
        .trimEnd()
        .split('\n')
        .filter((line) => !lines.includes(line)),
    ).toEqual([])
  }
})

test.each(allPages)('%s is free of private words', (path) => {
  expect(proseOf(readPage(path)).match(new RegExp(`\\b(${privateWords.join('|')})\\b`, 'gi')) ?? []).toEqual([])
})

describe('TypeScript', () => {
  const folder = join(root, `dist.${process.pid}.documents`)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Declarations that the examples use and the reader has. */
  const given = `
    import type { Simulator } from 'copytrade-tck'
    declare global {
      const simulator: Simulator
      const server: { readonly url: string }
      const rule: unknown
      const myClient: any
      const expect: any
    }`

  test('every example compiles against the published types', () => {
    mkdirSync(folder)
    const examples = userPages.flatMap((path) =>
      blocksOf(readPage(path))
        .filter(({ language }) => language === 'ts')
        .map(({ text, line }) => ({ path, line, text })),
    )
    expect(examples.length).toBeGreaterThan(5)
    writeFileSync(join(folder, 'given.d.ts'), given)
    for (const { path, line, text } of examples) {
      writeFileSync(join(folder, `${path.replaceAll(/\W/g, '-')}-line-${line}.ts`), `${text}\nexport {}\n`)
    }
    const compilerOptions = {
      noUnusedLocals: false,
      noUnusedParameters: false,
      lib: ['es2023', 'esnext.disposable', 'dom'],
    }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: '../tsconfig.json', compilerOptions, include: ['*.ts'] }),
    )
    const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], {
      encoding: 'utf8',
    })
    expect(stdout).toBe('')
  })
})
