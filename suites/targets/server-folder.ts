import { access, chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerStorage } from './own-servers.ts'

/** The name of the rules file (clause 4.3). */
const rulesFileName = 'ServiceCopyTrade_rules.dat'

/** The data folder of one server that the kit starts. */
export interface ServerFolder extends ServerStorage {
  /** Absolute path. */
  readonly path: string
}

/** A new, empty temporary folder. */
export async function createServerFolder(): Promise<ServerFolder> {
  const path = await mkdtemp(join(tmpdir(), 'copytrade-tck-'))
  const { file, ...storage } = rulesFileIn(path)
  return {
    path,
    ...storage,
    writeRulesFile: (text) => writeFile(file, text),
    remove: () => rm(path, { recursive: true, force: true }),
  }
}

/** Operations on the rules file of a data folder that work for any owner of the file. */
function rulesFileIn(
  folder: string,
): Pick<ServerStorage, 'hasRulesFile' | 'deleteRulesFile'> & { readonly file: string } {
  const file = join(folder, rulesFileName)
  return {
    file,
    hasRulesFile: () =>
      access(file).then(
        () => true,
        () => false,
      ),
    deleteRulesFile: () => rm(file, { force: true }),
  }
}

/** A folder that is mounted as `/tck` in a container. */
export interface SharedFolder extends ServerStorage {
  /** Absolute path on this machine. */
  readonly path: string
  /** Writes the file `TCK_PARAMETERS`. */
  writeParameters(parameters: Readonly<Record<string, string>>): Promise<void>
}

/** The paths inside the container. */
export const inside = { folder: '/tck', data: '/tck/data', parameters: '/tck/parameters.json' } as const

/**
 * A new temporary folder. The image decides the user of its server, so all users may access the content. The parent
 * folder keeps other users of this machine out.
 */
export async function createSharedFolder(): Promise<SharedFolder> {
  const parent = await mkdtemp(join(tmpdir(), 'copytrade-tck-'))
  const path = join(parent, 'tck')
  const data = join(path, 'data')
  await mkdir(data, { recursive: true })
  await chmod(path, 0o755)
  await chmod(data, 0o777)
  const { file, ...storage } = rulesFileIn(data)
  return {
    path,
    ...storage,
    writeRulesFile: (text) => replace(file, text, 0o666),
    writeParameters: (parameters) => replace(join(path, 'parameters.json'), JSON.stringify(parameters, null, 2), 0o644),
    remove: () => removeIfPermitted(parent),
  }
}

/** Writes a new file and renames it, because the old one may belong to the user of the container. */
async function replace(file: string, text: string, mode: number): Promise<void> {
  const draft = `${file}.kit`
  await writeFile(draft, text)
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
