import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { emptyFolder } from './command.ts'

/** Installs a version of Node.js from npm, and returns the path of its program. */
export async function newerNode(version: string): Promise<string> {
  const folder = emptyFolder()
  const name = `node-${process.platform}-${process.arch}`
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--prefix', folder, `${name}@${version}`]
  await promisify(execFile)('npm', args)
  return join(folder, 'node_modules', name, 'bin', 'node')
}
