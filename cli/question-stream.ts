/** The stream for prompts, since stdout may be redirected to a file or another command. */
export function questionStream(): NodeJS.WriteStream {
  return process.stdout.isTTY ? process.stdout : process.stderr
}
