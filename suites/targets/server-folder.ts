import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerSettings } from './driver.ts'
import { watchFolder } from './watchdog.ts'

/** The values of `TCK_DATA_DIR` and `TCK_PARAMETERS` for a folder that the server sees at this path. */
export function folderVariables(path: string) {
  return { TCK_DATA_DIR: `${path}/data`, TCK_PARAMETERS: `${path}/parameters.json` }
}

/** A folder for a server of any user, since an image decides that. Its parent keeps other users of this machine out. */
export async function createServerFolder() {
  const parent = await mkdtemp(join(tmpdir(), 'copytrade-tck-'))
  const unwatch = watchFolder(parent)
  const path = join(parent, 'tck')
  const { TCK_DATA_DIR: data, TCK_PARAMETERS: parametersFile } = folderVariables(path)
  await mkdir(data, { recursive: true })
  await chmod(path, 0o755)
  await chmod(data, 0o777)
  // Clause 4.3.
  const file = join(data, 'ServiceCopyTrade_rules.dat')
  return {
    /** Absolute. May be mounted in a container. */
    path,
    rulesFile: {
      exists: async () => existsSync(file),
      remove: () => rm(file, { force: true }),
      write: (content: Buffer) => replace(file, content, 0o666),
    },
    /** Writes the file `TCK_PARAMETERS`. */
    writeParameters: (parameters: ServerSettings['parameters']) =>
      replace(parametersFile, JSON.stringify(parameters, null, 2), 0o644),
    async remove() {
      await removeIfPermitted(parent)
      unwatch()
    },
  }
}

/** Writes a new file and renames it, because the old one may belong to the user of a container. */
async function replace(file: string, content: string | Buffer, mode: number): Promise<void> {
  const draft = `${file}.kit`
  await writeFile(draft, content)
  await chmod(draft, mode)
  await rename(draft, file)
}

/** Ignores folders that a server created as another user; they cannot be emptied. */
async function removeIfPermitted(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true })
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
