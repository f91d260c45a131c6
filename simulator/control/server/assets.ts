import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A file of the live page. It holds no data, so it needs no token. */
export interface Asset {
  readonly type: string
  readonly text: string
}

const types: Readonly<Record<string, string>> = { html: 'text/html', css: 'text/css', js: 'text/javascript' }

const files: Readonly<Record<string, string>> = {
  '/': 'index.html',
  '/style.css': 'style.css',
  '/main.js': 'main.js',
  '/connection.js': 'connection.js',
  '/element.js': 'element.js',
  '/rules.js': 'rules.js',
  '/journal.js': 'journal.js',
  '/faults.js': 'faults.js',
  '/platform.js': 'platform.js',
  '/profile.js': 'profile.js',
}

export function asset(path: string): Asset | undefined {
  const name = Object.hasOwn(files, path) ? files[path] : undefined
  if (name === undefined) return undefined
  const type = types[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain'
  return {
    type: `${type}; charset=utf-8`,
    text: readFileSync(fileURLToPath(new URL(`page/${name}`, import.meta.url)), 'utf8'),
  }
}
