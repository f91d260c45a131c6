import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { apis } from '../../cli/selftest/apis.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The ids of defects that are defined in a file changed during the last day of the history, or that break a requirement
 * with a check in such a file.
 * @throws {Error} if the history is too short, as in a shallow clone
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

/** Files of defects and checks, including uncommitted changes. */
function changedFiles(): readonly string[] {
  const newest = Number(git('show', '--no-patch', '--format=%ct', 'HEAD'))
  const base = git('rev-list', '-1', `--before=${newest - 86_400}`, 'HEAD')
  if (base === '') throw new Error('The history of this clone does not reach back a day: fetch all of it.')
  const folders = ['simulator/*/defects/', 'suites/checks/']
  const files = git('diff', '--name-only', '--diff-filter=d', base, '--', ...folders)
  return files.split('\n').filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}
