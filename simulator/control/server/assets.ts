import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Reply } from './route.ts'

const folder = fileURLToPath(new URL('page/', import.meta.url))
/** The file of each path. */
const files = new Map(readdirSync(folder).map((name) => [name === 'index.html' ? '/' : `/${name}`, name]))

/** A file of the live page. It holds no data, so it needs no token. */
export function asset(path: string): Reply | undefined {
  const name = files.get(path)
  return name === undefined ? undefined : { type: extname(name), text: readFileSync(folder + name, 'utf8') }
}
