import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Home } from '../own-servers.ts'
import { rulesFileIn } from '../server-folder.ts'

/** A folder of this machine that a container sees as `/tck`. */
export interface SharedFolder extends Home {
  /** Absolute path at this machine. */
  readonly path: string
  /** Writes what the server finds at `TCK_PARAMETERS`. */
  writeParameters(parameters: Readonly<Record<string, string>>): Promise<void>
}

/** Where a container finds it all. */
export const inside = { folder: '/tck', data: '/tck/data', parameters: '/tck/parameters.json' } as const

/**
 * A new folder below the system's folder for temporary files. The image decides as whom its server
 * runs, so everybody may use what is inside; other users of this machine do not get past the folder
 * around it.
 */
export async function createSharedFolder(): Promise<SharedFolder> {
  const around = await mkdtemp(join(tmpdir(), 'copytrade-tck-'))
  const path = join(around, 'tck')
  const data = join(path, 'data')
  await mkdir(data, { recursive: true })
  await chmod(path, 0o755)
  await chmod(data, 0o777)
  const { file, ...home } = rulesFileIn(data)
  return {
    path,
    ...home,
    writeRulesFile: (text) => replace(file, text, 0o666),
    writeParameters: (parameters) => replace(join(path, 'parameters.json'), JSON.stringify(parameters, null, 2), 0o644),
    remove: () => removeWhatCanBe(around),
  }
}

/** By a new file, since the old one may belong to the user of the container. */
async function replace(file: string, text: string, mode: number): Promise<void> {
  const draft = `${file}.kit`
  await writeFile(draft, text)
  await chmod(draft, mode)
  await rename(draft, file)
}

/** A folder that a server made as another user cannot be emptied by this one; the rest goes. */
async function removeWhatCanBe(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true })
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
