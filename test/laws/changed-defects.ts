import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { apis } from '../../cli/selftest/apis.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The commit of the last proof; null if there is none. */
export const provenCommit = commitOfProof()

/**
 * Ids of the defects that are defined in a file which has changed since the last proof, or that break a
 * requirement with a check in such a file. None where the history does not hold the commit of that proof.
 */
export function changedDefects(): readonly string[] {
  const ids = new Set(
    changedFiles().flatMap((file) => readFileSync(join(root, file), 'utf8').match(/'[\w.-]+'/g) ?? []),
  )
  const names = (id: string) => ids.has(`'${id}'`)
  return apis.flatMap(({ checks, defects }) => {
    const requirements = checks.filter(({ id }) => names(id)).map(({ requirement }) => requirement)
    const changed = defects.filter(({ id, breaks }) => names(id) || breaks.some((one) => requirements.includes(one)))
    return changed.map(({ id }) => id)
  })
}

function commitOfProof(): string | null {
  const file = join(root, 'proof.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { commit: string }).commit : null
}

function changedFiles(): readonly string[] {
  if (provenCommit === null) return []
  try {
    const args = [
      'diff',
      '--name-only',
      '--diff-filter=d',
      provenCommit,
      '--',
      'simulator/*/defects/',
      'suites/checks/',
    ]
    return execFileSync('git', args, { cwd: root, encoding: 'utf8' })
      .split('\n')
      .filter((file) => file.endsWith('.ts'))
  } catch {
    process.stderr.write(
      `\nThe history does not hold ${provenCommit}, the commit of the last proof: no defect counts as changed.\n`,
    )
    return []
  }
}
