import { appendFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** The output of a process or container. */
export interface Output {
  readonly stdout: Readable | null
  readonly stderr: Readable | null
}

/** The number of lines that a message shows. */
const maxLines = 10

/**
 * Appends the output to a file, redacted line by line, because a secret may be split between two chunks. Returns a
 * function that reads the last lines.
 */
export function logOutput(output: Output, file: string, redact: (text: string) => string): () => readonly string[] {
  let lastLines: readonly string[] = []
  const log = (text: string) => {
    const redacted = redact(text)
    appendFileSync(file, redacted)
    lastLines = [...lastLines, ...redacted.split('\n').filter((line) => line.trim() !== '')].slice(-maxLines)
  }
  for (const stream of [output.stdout, output.stderr]) {
    const decoder = new StringDecoder('utf8')
    let incomplete = ''
    stream?.on('data', (chunk: Buffer) => {
      const lines = (incomplete + decoder.write(chunk)).split('\n')
      incomplete = lines.pop() ?? ''
      if (lines.length > 0) log(`${lines.join('\n')}\n`)
    })
    stream?.on('end', () => {
      if (incomplete !== '') log(`${incomplete}\n`)
    })
  }
  return () => lastLines
}
