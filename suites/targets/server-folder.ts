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
  const rulesFile = join(path, rulesFileName)
  return {
    path,
    hasRulesFile: () =>
      access(rulesFile).then(
        () => true,
        () => false,
      ),
    deleteRulesFile: () => rm(rulesFile, { force: true }),
    writeRulesFile: (text) => writeFile(rulesFile, text),
    remove: () => rm(path, { recursive: true, force: true }),
  }
}
