/** Where a person at the terminal reads a question: stdout may go to a file or to another command. */
export function questionStream(): NodeJS.WriteStream {
  return process.stdout.isTTY ? process.stdout : process.stderr
}
