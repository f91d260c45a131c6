import { appendFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** What a process prints, or a container. */
export interface Output {
  readonly stdout: Readable | null
  readonly stderr: Readable | null
}

/**
 * Keeps what a process prints in a file, line by line and redacted: a whole line at a time, since a
 * secret may be torn between two chunks.
 */
export function keepOutput(output: Output, file: string, redact: (text: string) => string): void {
  for (const stream of [output.stdout, output.stderr]) {
    const decoder = new StringDecoder('utf8')
    let rest = ''
    stream?.on('data', (chunk: Buffer) => {
      const lines = (rest + decoder.write(chunk)).split('\n')
      rest = lines.pop() ?? ''
      if (lines.length > 0) appendFileSync(file, redact(`${lines.join('\n')}\n`))
    })
    stream?.on('end', () => {
      if (rest !== '') appendFileSync(file, redact(`${rest}\n`))
    })
  }
}
