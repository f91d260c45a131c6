import { appendFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** The output of a process or container. */
export interface Output {
  readonly stdout: Readable | null
  readonly stderr: Readable | null
}

/**
 * Appends the output to a file, redacted line by line, because a secret may be split between two
 * chunks.
 */
export function logOutput(output: Output, file: string, redact: (text: string) => string): void {
  for (const stream of [output.stdout, output.stderr]) {
    const decoder = new StringDecoder('utf8')
    let incomplete = ''
    stream?.on('data', (chunk: Buffer) => {
      const lines = (incomplete + decoder.write(chunk)).split('\n')
      incomplete = lines.pop() ?? ''
      if (lines.length > 0) appendFileSync(file, redact(`${lines.join('\n')}\n`))
    })
    stream?.on('end', () => {
      if (incomplete !== '') appendFileSync(file, redact(`${incomplete}\n`))
    })
  }
}
