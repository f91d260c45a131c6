import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Reply } from './route.ts'

const types: Readonly<Record<string, string>> = { html: 'text/html', css: 'text/css', js: 'text/javascript' }

const folder = fileURLToPath(new URL('page/', import.meta.url))
/** The file of each path. */
const files = new Map(readdirSync(folder).map((name) => [name === 'index.html' ? '/' : `/${name}`, name]))

/** A file of the live page. It holds no data, so it needs no token. */
export function asset(path: string): Reply | undefined {
  const name = files.get(path)
  if (name === undefined) return undefined
  const type = types[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain'
  return { type: `${type}; charset=utf-8`, text: readFileSync(folder + name, 'utf8') }
}
