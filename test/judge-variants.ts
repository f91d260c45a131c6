import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A way in which a conforming server may differ; see `fixtures/servers/variants/variants.mjs`. */
export interface Variant {
  readonly name: string
  readonly onlyRequired?: true
}

const script = fileURLToPath(new URL('../fixtures/servers/variants.mjs', import.meta.url))

export const variants = JSON.parse(
  execFileSync(process.execPath, [script, '--list'], { encoding: 'utf8' }),
) as readonly Variant[]

/** The command that starts a conforming server with these variants and this capacity. */
export function variantCommand(names: readonly string[], capacity: number): string {
  const environment = { CAPACITY: capacity, VARIANTS: names.join() }
  const assigned = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  return `${assigned.join(' ')} exec "${process.execPath}" "${script}"`
}
