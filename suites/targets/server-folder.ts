import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Home } from './own-servers.ts'

/** The name that clause 4.3 gives to the file of rules. */
const rulesFileName = 'ServiceCopyTrade_rules.dat'

/** The data folder of one server that the kit starts. */
export interface ServerFolder extends Home {
  /** Absolute path. */
  readonly path: string
}

/** A new, empty folder below the system's folder for temporary files. */
export async function createServerFolder(): Promise<ServerFolder> {
  const path = await mkdtemp(join(tmpdir(), 'copytrade-tck-'))
  const { file, ...home } = rulesFileIn(path)
  return {
    path,
    ...home,
    writeRulesFile: (text) => writeFile(file, text),
    remove: () => rm(path, { recursive: true, force: true }),
  }
}

/** The rules file of a data folder, and what can be done to it whoever wrote it. */
export function rulesFileIn(
  folder: string,
): Pick<Home, 'hasRulesFile' | 'deleteRulesFile'> & { readonly file: string } {
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
