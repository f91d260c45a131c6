#!/usr/bin/env node
import { CommanderError } from 'commander'
import { exitCode } from './exit-code.ts'
import { cleanUpAfterUncaughtError, discardUnreadOutput } from './interruption.ts'
import { createProgram } from './program.ts'

/** A full disk, a quota, and a limit on the size of files. */
const noSpace: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG']

discardUnreadOutput()
cleanUpAfterUncaughtError(report)

try {
  await createProgram().parseAsync()
} catch (error) {
  const code = report(error)
  if (process.exitCode !== exitCode.harmed) process.exitCode = code
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCode.usage
  if (hasHint(error)) {
    process.stderr.write(`${error.message}\n${error.hint}\n`)
    return error.exitCode ?? exitCode.usage
  }
  if (error instanceof Error && 'code' in error && noSpace.includes(error.code)) {
    process.stderr.write(`A file cannot be written: ${error.message}.\nMake space, or choose another folder.\n`)
    return exitCode.kitError
  }
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`Internal error of the kit, not of the target.\n${details}\n`)
  return exitCode.kitError
}

/** Errors that a user can act on have a hint. */
function hasHint(error: unknown): error is Error & { hint: string; exitCode?: number } {
  return error instanceof Error && 'hint' in error && typeof error.hint === 'string'
}
