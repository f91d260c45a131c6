import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The comments, test names and declared names of one source file. */
export interface SourceTexts {
  readonly path: string
  /** Each as one line, without code in backticks. */
  readonly comments: readonly string[]
  readonly testNames: readonly string[]
  /** Names of functions, constants, types and members. */
  readonly names: readonly string[]
  readonly exportedTypes: readonly string[]
}

const extension = /\.(tsx?|m?js|py|go|java|[ch])$/
const pythonComment = /^[ \t]*"""[\s\S]*?"""|(?:^[ \t]*#(?!!).*\n)+|[ \t]# .*$/gm
const comment = /^[ \t]*\{?\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+|(?<=[;,{()\]'`\w]) \/\/ .*$|\/\*\* .*? \*\//gm
/** A text and a function as arguments: also of `test.for(rows)('name', run)`. Others that look the same do no harm. */
const testName = /\(\s*(['"`])([^\n]+?)\1,\s*(?:\{[^{}]*\},\s*)?(?:async )?(?:\(|\w+ =>)/g
const declaredName = /\b(?:const|let|function|class|interface|type) ([A-Za-z]\w*)|^\s*readonly (\w+)\??:/gm
const exportedType = /\bexport (?:interface|type|class) (\w+)/g

/** Comments join their lines. Text between quotes in code may look like a comment, which does no harm. */
function asLine(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/^\s*(?:\{?\/\*\*?|\*(?!\/)|\/\/|#|""")?/, ''))
  return lines
    .join(' ')
    .replaceAll(/\*\/|"""|`[^`]*`/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Reads all source files in a folder of the project. */
export function sourceTextsIn(root: string, folder: string): readonly SourceTexts[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => extension.test(file) && !file.includes('node_modules'))
    .map((file) => {
      const source = readFileSync(join(root, folder, file), 'utf8')
      const comments = source.match(file.endsWith('.py') ? pythonComment : comment) ?? []
      return {
        path: `${folder}/${file.replaceAll('\\', '/')}`,
        comments: comments.map(asLine),
        testNames: [...source.matchAll(testName)].map(([, , name = '']) => name),
        names: [...source.matchAll(declaredName)].map(([, declared, member]) => declared ?? member ?? ''),
        exportedTypes: [...source.matchAll(exportedType)].map(([, name = '']) => name),
      }
    })
}
