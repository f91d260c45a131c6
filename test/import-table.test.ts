import { execFile, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import importTable from '../scripts/import-table.json' with { type: 'json' }

const root = fileURLToPath(new URL('..', import.meta.url))
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
const topLevel = ['http', 'spec', 'simulator', 'suites', 'reports', 'fixtures', 'cli']

const table: Readonly<Record<string, readonly string[]>> = importTable
const parts = Object.keys(table)

test('what is generated from the table is up to date', () => {
  const { stderr } = spawnSync(process.execPath, ['scripts/import-rules.js', '--check'], { cwd: root })
  expect(String(stderr)).toBe('')
})

describe('the table', () => {
  test('has a row for each folder of the second level, and for the files next to them', () => {
    const missing = topLevel
      .flatMap((top) => [...foldersIn(top), ...(hasCode(top) ? [`${top}/*.ts`] : [])])
      .filter((part) => !parts.includes(part))
    expect(missing).toEqual([])
  })

  test('names nothing that does not exist', () => {
    const named = [...parts, ...Object.values(table).flat()].map((part) => part.replace('/*.ts', ''))
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  test('has no cycle', () => {
    const edges = parts.flatMap((part) => allowedParts(part).map((other) => [part, other] as const))
    expect(inCycles(edges)).toEqual([])
  })

  test('has no cycle between folders of the second level', () => {
    const edges = parts.flatMap((part) =>
      allowedParts(part).map((other) => [secondLevel(part), secondLevel(other)] as const),
    )
    expect(inCycles(edges)).toEqual([])
  })
})

describe('the linter', () => {
  /** A project with only the temporary files, so that no other test sees them. */
  const project = mkdtempSync(join(tmpdir(), 'import-table-'))
  const targets = [
    ...new Set([
      ...parts.map((part) => fileIn(part)),
      ...Object.values(table).flat().filter(isFile),
      'bench/temporary.ts',
    ]),
  ]
  let rejected: ReadonlySet<string> = new Set()

  beforeAll(async () => {
    for (const file of ['biome.json', 'biome.imports.json', '.gitignore'])
      copyFileSync(join(root, file), join(project, file))
    for (const file of parts.flatMap(temporaryFiles)) {
      mkdirSync(join(project, dirname(file)), { recursive: true })
      writeFileSync(join(project, file), targets.map((target) => `import '${specifier(file, target)}'\n`).join(''))
    }
    rejected = await rejectedImports(project, targets)
  })
  afterAll(() => rmSync(project, { recursive: true, force: true }))

  test.for(parts)('allows exactly what the row of %s lists', (part) => {
    const imports = temporaryFiles(part).flatMap((file) =>
      targets.filter((target) => target !== file).map((target) => ({ file, target })),
    )
    const wrong = imports.filter(({ file, target }) => rejected.has(`${file} ${target}`) === mayImport(part, target))
    expect(wrong).toEqual([])
  })
})

/** One file in each folder of a part. */
function temporaryFiles(part: string): readonly string[] {
  if (isFile(part) || part.endsWith('/*.ts')) return [fileIn(part)]
  return foldersBelow(part).map((folder) => `${folder}/temporary.ts`)
}

function foldersBelow(folder: string): readonly string[] {
  const inside = foldersIn(folder).filter((other) => !parts.includes(other))
  return [folder, ...inside.flatMap(foldersBelow)]
}

function fileIn(part: string): string {
  return isFile(part) ? part : `${part.replace('/*.ts', '')}/temporary.ts`
}

function isFile(part: string): boolean {
  return part.endsWith('.ts') && !part.endsWith('/*.ts')
}

function mayImport(part: string, target: string): boolean {
  const owner = partOf(target)
  return owner === part || (table[part] ?? []).includes(target) || (owner !== undefined && listed(part).includes(owner))
}

/** The part of a file: itself, the innermost folder, or the files of its folder. */
function partOf(file: string): string | undefined {
  if (parts.includes(file)) return file
  const folders = parts.filter((part) => file.startsWith(`${part}/`)).sort((one, other) => other.length - one.length)
  return folders[0] ?? parts.find((part) => part === `${dirname(file)}/*.ts`)
}

/** The parts that a row lists; the name of a top-level folder stands for all of its parts. */
function listed(part: string): readonly string[] {
  return (table[part] ?? []).flatMap((entry) =>
    topLevel.includes(entry) ? parts.filter((other) => other.startsWith(`${entry}/`)) : entry,
  )
}

/** The same parts, with the part of each single file. */
function allowedParts(part: string): readonly string[] {
  return listed(part)
    .map((entry) => partOf(entry) ?? entry)
    .filter((other) => other !== part)
}

/** The test support of a folder is not a part of that folder. */
function secondLevel(part: string): string {
  if (part.endsWith('/testing')) return part
  return part.split('/').slice(0, 2).join('/')
}

/** Removes nodes without incoming or outgoing edges until only cycles are left. */
function inCycles(edges: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] {
  const left = edges.filter(
    ([from, to]) => from !== to && edges.some(([start]) => start === to) && edges.some(([, end]) => end === from),
  )
  return left.length === edges.length ? left : inCycles(left)
}

function foldersIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`)
    .filter((path) => hasCode(path) || foldersIn(path).length > 0)
}

function hasCode(folder: string): boolean {
  return readdirSync(join(root, folder)).some((name) => /\.(ts|js|mjs)$/.test(name))
}

function specifier(from: string, to: string): string {
  const path = relative(dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}

/** The rejected imports, as "file target". The imports of a temporary file are in the order of the targets. */
async function rejectedImports(project: string, targets: readonly string[]): Promise<ReadonlySet<string>> {
  const output = await new Promise<string>((resolve) => {
    const flags = ['lint', '--only=style/noRestrictedImports', '--reporter=json', '--max-diagnostics=none', '.']
    execFile(process.execPath, [biome, ...flags], { cwd: project, maxBuffer: 2 ** 28 }, (_error, stdout) =>
      resolve(stdout),
    )
  })
  const { diagnostics } = JSON.parse(output) as {
    readonly diagnostics: readonly { location: { path: string; start: { line: number } } }[]
  }
  return new Set(diagnostics.map(({ location }) => `${location.path} ${targets[location.start.line - 1]}`))
}
