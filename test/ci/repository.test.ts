import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { programOrSkip } from '../../fixtures/programs.ts'
import { root } from '../ci-steps.ts'
import { emptyFolder } from '../command.ts'

const run = promisify(execFile)

test('the workflows pass actionlint, and one with an unknown job does not', { timeout: 300_000 }, async (context) => {
  const go = programOrSkip('go', context.skip)
  const bin = emptyFolder()
  const env = { ...process.env, GOBIN: bin, GOFLAGS: '-mod=mod' }
  await run(go, ['install', 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.7'], { env })
  const lint = (...files: string[]) =>
    run(join(bin, 'actionlint'), ['-no-color', ...files], { cwd: root }).catch((error: { stdout: string }) => error)
  const workflows = ['.github/workflows/ci.yml', '.github/workflows/release.yml']
  const examples = ['examples/ci/github.yml', 'examples/ci/fleet-github.yml']
  expect((await lint(...workflows, ...examples)).stdout).toBe('')
  const wrong = join(bin, 'wrong.yml')
  writeFileSync(
    wrong,
    readFileSync(join(root, '.github/workflows/release.yml'), 'utf8').replace('needs: package', 'needs: x'),
  )
  expect((await lint(wrong)).stdout).toContain('needs job "x" which does not exist')
})

test('the hook before a commit formats what is staged, and stops a commit that the linter rejects', async () => {
  const folder = emptyFolder()
  const git = (...args: string[]) => run('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder })
  for (const path of ['biome.json', 'biome.imports.json', '.gitignore', 'scripts/git-hooks']) {
    cpSync(join(root, path), join(folder, path), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(folder, 'http'))
  await git('init', '--quiet')
  await git('config', 'core.hooksPath', 'scripts/git-hooks')
  const file = join(folder, 'http/one.ts')
  writeFileSync(file, 'export  const one = "1";\n')
  await git('add', 'http/one.ts')
  await git('commit', '--quiet', '--message', 'Add one')
  expect((await git('show', 'HEAD:http/one.ts')).stdout).toBe("export const one = '1'\n")
  // Unstaged changes of a file are not committed with the rest.
  writeFileSync(file, "export const one = '2'\n")
  await git('add', 'http/one.ts')
  writeFileSync(file, "export const one = '2'\nexport  const two = '3'\n")
  await git('commit', '--quiet', '--message', 'Add two').catch(() => undefined)
  expect((await git('show', ':http/one.ts')).stdout).toBe("export const one = '2'\n")
  expect(readFileSync(file, 'utf8')).toBe("export const one = '2'\nexport  const two = '3'\n")
  writeFileSync(file, 'export const one = 1\nexport default one\n')
  await git('add', 'http/one.ts')
  await expect(git('commit', '--quiet', '--message', 'Change one')).rejects.toThrow('noDefaultExport')
})
