/** The stream for prompts, since stdout may be redirected to a file or another command. */
export function questionStream(): NodeJS.WriteStream {
  const stream = process.stdout.isTTY ? process.stdout : process.stderr
  // Some pseudo-terminals state no width; a prompt would then have one character on each line.
  if (stream.columns === 0) stream.columns = 80
  return stream
}
