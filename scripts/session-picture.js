// Writes docs/session.svg, the picture at the top of the README: a real run of a faulty server, line by line as it was
// printed. `npm run session-picture` builds the kit first; the first argument names another output file.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const [file = join(root, 'docs/session.svg')] = process.argv.slice(2)

// One check at a time, so that the order of the lines is always the same.
const args = [
  'run',
  '--exec',
  'FAULTS=delete-moves-last-into-hole node fixtures/servers/faulty.mjs',
  '--only',
  'plugin.{add,delete}.*',
  '--seed',
  '1',
  '--jobs',
  '1',
]
const typed = `$ npx copytrade-tck ${args.map((word) => (/[ *]/.test(word) ? `"${word}"` : word)).join(' ')}`

/** The escape sequence that starts a colour. */
const csi = `${String.fromCharCode(27)}[`
const columns = 122
const lineHeight = 19
const characterWidth = 7.83
const margin = 16

/** By terminal code; all other codes end one of these. */
const classes = { 1: 'bold', 2: 'dim', 31: 'red', 32: 'green', 33: 'yellow', 36: 'cyan' }
const ends = { 22: ['bold', 'dim'], 39: ['red', 'green', 'yellow', 'cyan'] }

writeFileSync(file, picture([{ text: typed, seconds: 0 }, ...(await record())]))

/** The lines of a run, each with the time at which it was printed. */
async function record() {
  const out = mkdtempSync(join(tmpdir(), 'copytrade-tck-session-'))
  const startedAt = performance.now()
  const env = { ...process.env, FORCE_COLOR: '1', NO_COLOR: undefined, CI: undefined, GITHUB_ACTIONS: undefined }
  // On a busy machine the search for the fault takes longer than usual.
  const more = ['--out', out, '--diagnose', '300']
  const child = spawn(process.execPath, ['dist/cli/main.js', ...args, ...more], { cwd: root, env })
  const lines = []
  let rest = ''
  child.stdout.on('data', (chunk) => {
    const seconds = 1 + (performance.now() - startedAt) / 1_000
    const [last, ...whole] = (rest + chunk).replaceAll(out, 'tck-report').split('\n').reverse()
    rest = last
    lines.push(...whole.reverse().map((text) => ({ text, seconds })))
  })
  await once(child, 'close')
  rmSync(out, { recursive: true })
  if (child.exitCode !== 1) throw new Error(`the run of the faulty server ended with ${child.exitCode}`)
  return lines
}

function picture(lines) {
  const rows = lines.flatMap(({ text, seconds }) => wrapped(text).map((parts) => ({ parts, seconds })))
  const width = Math.ceil(columns * characterWidth) + 2 * margin
  const height = rows.length * lineHeight + 2 * margin
  const texts = rows.map(({ parts, seconds }, row) => {
    const spans = parts.map(({ text, style }) => (style === '' ? text : `<tspan class="${style}">${text}</tspan>`))
    const delay = (seconds + row * 0.03).toFixed(2)
    return `<text x="${margin}" y="${margin + 14 + row * lineHeight}" style="animation-delay:${delay}s">${spans.join('')}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>A run of copytrade-tck that finds a server which moves the wrong rule at a DELETE</title>
<style>
rect { fill: #14181f }
text { fill: #d9dee7; font: 13px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; white-space: pre; animation: show 0.01s both }
.bold { font-weight: bold } .dim { fill: #96a0b0 } .red { fill: #ff7b72 } .green { fill: #6fce7f } .yellow { fill: #e3b341 } .cyan { fill: #6cc7e0 }
@keyframes show { from { opacity: 0 } }
@media (prefers-reduced-motion: reduce) { text { animation: none } }
</style>
<rect width="${width}" height="${height}" rx="8"/>
${texts.join('\n')}
</svg>
`
}

/** A line as rows of parts with one style, wrapped like in a terminal. */
function wrapped(line) {
  const rows = [[]]
  let left = columns
  const style = new Set()
  for (const part of `0m${line}`.split(csi)) {
    const [, code, text] = /^(\d+)m(.*)$/.exec(part)
    if (code in classes) style.add(classes[code])
    for (const ended of ends[code] ?? []) style.delete(ended)
    for (let from = 0; from < text.length; ) {
      if (left === 0) {
        rows.push([])
        left = columns
      }
      const piece = text.slice(from, from + left)
      rows.at(-1).push({ text: escaped(piece), style: [...style].join(' ') })
      from += piece.length
      left -= piece.length
    }
  }
  return rows
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
