const mask = '[redacted]'
const secretHeaders = ['x-api-key', 'authorization', 'proxy-authorization', 'cookie']

/** Takes a key out of a text, plain or encoded. */
export function withoutKey(text: string, key: string): string {
  if (key === '') return text
  const forms = [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), Buffer.from(key).toString('base64')]
  return [...new Set(forms)].reduce((rest, form) => rest.replaceAll(form, mask), text)
}

/** Name and value of each header, without what authenticates. */
export function safeHeaders(raw: readonly string[], key: string): readonly (readonly [string, string])[] {
  const pairs: [string, string][] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2)
    const isSecret = secretHeaders.includes(name.toLowerCase())
    pairs.push([withoutKey(name, key), isSecret ? mask : withoutKey(value, key)])
  }
  return pairs
}
