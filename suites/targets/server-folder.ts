import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
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

/** The rules file of a data folder, with the operations that work for any owner of the file. */
export function rulesFileIn(
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
