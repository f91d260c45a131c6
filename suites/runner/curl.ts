import type { Exchange } from '../client/exchange.ts'
import { keyVariations, wrongKeyLabel } from '../session/wrong-keys.ts'

/** A shell command that sends the request again, with the key as a variable; null for bytes that curl cannot send. */
export function toCurl(exchange: Exchange | undefined, keyVariable = 'TCK_API_KEY'): string | null {
  if (exchange === undefined || exchange.request.method === 'RAW') return null
  return `curl -i ${curlArguments(exchange, keyVariable)}`
}

/** The arguments of curl that send the request again. The variable `url` replaces `base` at the start of its URL. */
export function curlArguments({ request, response }: Exchange, keyVariable: string, base?: string): string {
  const { method, url, headers, body } = request
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type')
  // The client of the kit asks for gzip, and a server may send it without saying so.
  const isCompressed =
    response?.body?.startsWith('\x1f') || response?.headers.some(([name]) => /^content-encoding$/i.test(name))
  return [
    ...(isCompressed ? ['--compressed'] : []),
    // curl would resolve dots and expand brackets.
    ...(/[[\]{}]|\/\.\.?(?:\/|$)/.test(url) ? ['-g --path-as-is'] : []),
    method === 'HEAD' ? '--head' : `-X ${method}`,
    ...headers.map(([name, value]) => `-H ${headerArgument(name, value, keyVariable)}`),
    ...(body === null || hasType ? [] : [`-H 'Content-Type:'`]),
    ...(body === null ? [] : [`--data-binary ${quote(body)}`]),
    base !== undefined && url.startsWith(base) ? `"$url"${quote(url.slice(base.length))}` : quote(url),
  ].join(' ')
}

/** The labels that replace wrong keys in records, and how a shell derives these keys from the right one. */
const wrongKeyShells = new Map(keyVariations.map(({ name, shell }) => [wrongKeyLabel(name), shell]))

// Launched servers have the key with the id of the check and a number. With `--keep-server` they have the key itself.
function headerArgument(name: string, value: string, keyVariable: string): string {
  // curl omits a header without a value unless it ends with a semicolon.
  if (value === '') return quote(`${name};`)
  const header = `${name}: ${value}`
  const escaped = header.replace(/[\\"`$]/g, '\\$&')
  const filled = escaped.replace(
    /\[redacted\](?:-C\w+-\d+)?(?:-\d+)?(?=(\w?))|\[wrong key: [^\]]*\]/g,
    (label, next) => {
      const shell = wrongKeyShells.get(label) ?? (next ? `$\{KEY}` : '$KEY')
      return shell.replaceAll('KEY', keyVariable)
    },
  )
  return filled === escaped ? quote(header) : `"${filled}"`
}

const isHidden = /[^\t\n\x20-\x7e\xa0-\uffff]/

/** The text as one word of a shell, with escaped control characters. */
export function quote(text: string): string {
  if (!isHidden.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`
  const escaped = Array.from(text, (character) => {
    const isPlain = !isHidden.test(character) && character !== '\\' && character !== "'"
    return isPlain ? character : `\\0${character.charCodeAt(0).toString(8)}`
  })
  return `"$(printf '%b' '${escaped.join('')}')"`
}
