import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** Enough for a stack trace whose first lines have the reason, as Node.js writes it. */
const maxLines = 20

/**
 * Appends the output to a file, redacted line by line, because a secret may be split between two chunks. Returns a
 * function that reads the last lines.
 */
export function logOutput(
  { stdout, stderr }: { readonly stdout: Readable | null; readonly stderr: Readable | null },
  file: string,
  redact: (text: string) => string,
): () => readonly string[] {
  let lastLines: readonly string[] = []
  for (const stream of [stdout, stderr]) {
    if (stream === null) continue
    createInterface({ input: stream }).on('line', (line) => {
      const redacted = redact(line)
      try {
        appendFileSync(file, `${redacted}\n`)
      } catch {
        // The log only helps to find a mistake: a full disk or a deleted folder does not end the run.
      }
      if (redacted.trim() !== '') lastLines = [...lastLines, redacted].slice(-maxLines)
    })
  }
  return () => lastLines
}
