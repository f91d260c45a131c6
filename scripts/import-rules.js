// Writes the linter's rules (`biome.imports.json`) and the table in ARCHITECTURE.md from `import-table.json`. With
// `--check` it writes nothing and fails if one of them is out of date. Each row of the table is a part of the product:
// a folder (without the folders in it that have their own row), the files directly in a folder (`spec/*.ts`), or one
// file. It lists the parts, or single files, that it may import. The name of a top-level folder stands for everything
// in it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const table = JSON.parse(readFileSync(`${root}scripts/import-table.json`, 'utf8'))
// The last override that matches a file wins, so narrower parts come later.
const parts = Object.keys(table).sort((one, other) => breadth(one) - breadth(other))

const stale = [
  updated('biome.imports.json', () => `${JSON.stringify({ overrides: parts.flatMap(overridesOf) }, null, 2)}\n`),
  updated('ARCHITECTURE.md', (text) =>
    text.replace(/(<!-- import table -->\n)[\s\S]*?(<!-- end of import table -->)/, `$1\n${markdown()}\n$2`),
  ),
].filter(({ before, after }) => before !== after)

if (process.argv.includes('--check')) {
  for (const { file } of stale) console.error(`${file} is out of date. Run \`npm run import-rules\`.`)
  process.exitCode = stale.length === 0 ? 0 : 1
} else for (const { file, after } of stale) writeFileSync(root + file, after)

function updated(file, change) {
  const before = readFileSync(root + file, 'utf8')
  return { file, before, after: change(before) }
}

/** Imports are relative, so there is one override for each folder level inside a part. */
function overridesOf(part) {
  const kind = kindOf(part)
  const folder = kind === 'folder' ? part : posix.dirname(part)
  const levels = kind === 'folder' ? depthOf(part) : 1
  return Array.from({ length: levels }, (_, level) => {
    const includes = [kind === 'file' ? part : `${folder}/${'*/'.repeat(level)}*`]
    if (kind !== 'file') includes.push('!**/*.test.ts', '!**/*.test-data.ts')
    // The names of the folders in between do not matter for a path that starts with `../`.
    const from = `${folder}${'/-'.repeat(level)}`
    const group = [
      ...forbidden(part, kind, level, from),
      ...allowedFrom(part, from).flatMap((entry) => permit(entry, from, part)),
    ]
    const message = `${part} may import: ${table[part].join(', ') || 'nothing else'} (scripts/import-table.json).`
    const noRestrictedImports = { level: 'error', options: { patterns: [{ group, message }] } }
    return { includes, linter: { rules: { style: { noRestrictedImports } } } }
  })
}

function forbidden(part, kind, level, from) {
  if (kind === 'file') return ['./**', '../**']
  if (kind === 'files') return ['./*/**', '../**', ...partsInside(part).map((inside) => specifier(from, inside))]
  return [`${'../'.repeat(level + 1)}**`, ...partsInside(part).map((inside) => specifier(from, inside))]
}

/**
 * The last match wins: whatever lies around or inside the allowed part and is not allowed has to be forbidden again.
 */
function permit(entry, from, part) {
  const inside = partsInside(entry).filter((other) => other !== part && !allowed(part).includes(other))
  const around = from.startsWith(`${entry}/`) ? [`../${specifier(from, entry)}`] : []
  return [`!${specifier(from, entry)}`, ...around, ...inside.map((other) => specifier(from, other))]
}

function specifier(from, part) {
  const path = posix.relative(from, part)
  const relative = path.startsWith('../') || path === '..' ? path : ['.', path].filter(Boolean).join('/')
  return kindOf(part) === 'folder' ? `${relative}/**` : relative
}

/** The surrounding folders come first, since they forbid again what lies outside them. */
function allowedFrom(part, from) {
  const isAround = (entry) => Number(from.startsWith(`${entry}/`))
  return allowed(part).sort((one, other) => isAround(other) - isAround(one))
}

function allowed(part) {
  return table[part].flatMap((entry) =>
    entry.includes('/') ? entry : parts.filter((other) => other.startsWith(`${entry}/`) && other !== part),
  )
}

/** The parts that are excluded from a broader part. */
function partsInside(part) {
  if (kindOf(part) === 'folder') return parts.filter((other) => other.startsWith(`${part}/`))
  if (kindOf(part) === 'file') return []
  const sameFolder = (other) => posix.dirname(other) === posix.dirname(part)
  return parts.filter((other) => kindOf(other) === 'file' && sameFolder(other))
}

function breadth(part) {
  return kindOf(part) === 'file' ? 99 : part.split('/').length
}

function kindOf(part) {
  if (part.endsWith('/*.ts')) return 'files'
  return part.endsWith('.ts') ? 'file' : 'folder'
}

/**
 * The depth of the folders that contain modules, including the folder itself. Other files, such as caches, do not
 * count.
 */
function depthOf(folder) {
  const modules = readdirSync(root + folder, { recursive: true }).filter((name) => /\.(ts|js|mjs)$/.test(name))
  return Math.max(1, ...modules.map((name) => name.split(/[\\/]/).length))
}

/** Parts in the same top-level folder are named without it. */
function markdown() {
  const rows = Object.entries(table).map(([part, entries]) => {
    const home = `${part.split('/')[0]}/`
    const names = entries.map((entry) => (entry.startsWith(home) ? entry.slice(home.length) : entry))
    return `| ${part} | ${names.join(', ') || 'nothing'} |\n`
  })
  return `| Part | may import |\n| --- | --- |\n${rows.join('')}`
}
