// Writes api.md, the declarations of the built package that users can import, so that changes to them show in a review.
// `npm run api-report` builds the package first; the first argument names another output file.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const [file = join(root, 'api.md')] = process.argv.slice(2)
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** The questions and requirements, whose ids `test/registries.test.ts` lists. */
const data = /^dist\/spec\/(plugin|platform)\//

const entries = Object.entries(exports).flatMap(([name, { types }]) =>
  types ? [{ name, path: normalize(types) }] : [],
)
const modules = new Map()
for (const { path } of entries) read(path)

const lines = entries.map(({ name, path }) => `- \`${join('copytrade-tck', name)}\`: ${path.replace('dist/', '')}`)
const sections = [...modules].sort(([one], [other]) => (one < other ? -1 : 1)).map(sectionOf)
writeFileSync(
  file,
  `# The public API\n\n\`npm run api-report\` writes this page.\n\n${[lines.join('\n'), ...sections].join('\n\n')}\n`,
)

/** The declarations of a module, and of the modules that it re-exports. */
function read(path) {
  if (modules.has(path) || data.test(path)) return
  const text = readFileSync(join(root, path), 'utf8').replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '')
  modules.set(path, text.trim())
  for (const [, from] of text.matchAll(/^export [^;]*? from '(\.[^']+)\.ts';$/gm))
    read(join(path, '..', `${from}.d.ts`))
}

function sectionOf([path, text]) {
  return `## ${path.replace('dist/', '')}\n\n\`\`\`ts\n${text}\n\`\`\``
}
