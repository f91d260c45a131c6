import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Images of the fixture servers, by name. Nothing is pulled for them. */
export interface Images extends AsyncDisposable {
  of(name: keyof typeof recipes): string
}

const plain = 'exec node /servers/plain.mjs'

/** The instructions after the common ones. Without a command an image starts nothing. */
const recipes = {
  plain: ['USER 1000:1000', command(plain)],
  /** It prints its parameters, including the key, and does not listen if the key is empty. */
  chatty: [
    'USER 1000:1000',
    command(`cat "$TCK_PARAMETERS"; grep -q '"API_Key": ""' "$TCK_PARAMETERS" && exec sleep 600; ${plain}`),
  ],
  faulty: ['ENV FAULTS=file-saved-after-the-answer,copy-merged-with-file', command('exec node /servers/faulty.mjs')],
  /** It exits at once. */
  unlicensed: [command('echo there is no licence >&2; exit 1')],
  /** It has no command. */
  idle: [],
} as const satisfies Readonly<Record<string, readonly string[]>>

function command(line: string): string {
  return `CMD ["sh", "-c", ${JSON.stringify(line)}]`
}

/** Builds them from this machine's Node.js; they are removed at the end. */
export async function buildImages(): Promise<Images> {
  const base = `copytrade-tck-driver-base:${process.pid}`
  const of = (name: string) => `copytrade-tck-driver-${name}:${process.pid}`
  await run(`${root}.ci/base-image`, [base])
  const names = Object.keys(recipes) as (keyof typeof recipes)[]
  // One after the other: all but the first find the folder in the cache.
  for (const name of names) await build(of(name), [`FROM ${base}`, 'COPY . /servers', ...recipes[name]])
  return {
    of,
    [Symbol.asyncDispose]: async () => {
      await run('docker', ['image', 'rm', '--force', ...names.map(of), base])
    },
  }
}

async function build(tag: string, lines: readonly string[]): Promise<void> {
  const args = ['build', '--quiet', '--tag', tag, '--file', '-', `${root}fixtures/servers`]
  const child = spawn('docker', args, { stdio: ['pipe', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  child.stdin.end(lines.join('\n'))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the image ${tag} could not be built: ${said}`)
}

/** The containers of an image, running or not, by the label with their owner. */
export async function containersOf(image: string): Promise<readonly string[]> {
  const format = '{{.Label "copytrade-tck.kit"}}'
  const { stdout } = await run('docker', ['ps', '--all', '--filter', `ancestor=${image}`, '--format', format])
  return stdout.split('\n').filter((line) => line !== '')
}
