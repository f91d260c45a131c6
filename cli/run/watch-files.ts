import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { basename, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { watch } from 'chokidar'
import { UsageError } from '../command-error.ts'
import { Interruption } from '../interruption.ts'

/** Reasons for another round. */
export interface Changes extends AsyncDisposable {
  /** Aborted by the next change of a file, or by Enter. The reason says which. */
  next(): AbortSignal
}

/** An editor, or a compiler, writes several files at once. */
const quietMs = 100

/** What tools write beside the code of a server. */
const ignored = /^(\..*|node_modules|__pycache__)$/

/**
 * Watches a file or a folder, and standard input. Files with a dot, packages and the folder of the
 * report do not count.
 *
 * @throws {UsageError} when it cannot be watched
 */
export async function watchFiles(path: string, report: string): Promise<Changes> {
  const [root, out] = [resolve(path), resolve(report)]
  const hint = 'Give the file or folder with the code of the server, as in `--watch src`.'
  if (!existsSync(root)) throw new UsageError(`\`--watch\`: ${path} does not exist.`, hint)
  let round = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const end = (reason: string) => round.abort(new Interruption(reason))
  const files = watch(root, {
    ignoreInitial: true,
    ignored: (name) => name === out || (name !== root && ignored.test(basename(name))),
  })
  try {
    await once(files, 'ready')
  } catch (cause) {
    await files.close()
    throw new UsageError(`${path} cannot be watched: ${(cause as Error).message}.`, hint, { cause })
  }
  files.on('all', (_, name) => {
    clearTimeout(timer)
    timer = setTimeout(end, quietMs, `${relative('', name)} changed`)
  })
  files.on('error', (error) => process.stderr.write(`Not all files are watched: ${(error as Error).message}\n`))
  const lines = createInterface({ input: process.stdin }).on('line', () => end('Enter was pressed'))
  return {
    next() {
      if (round.signal.aborted) round = new AbortController()
      return round.signal
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer)
      lines.close()
      await files.close()
    },
  }
}
