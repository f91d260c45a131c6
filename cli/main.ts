#!/usr/bin/env node
import { CommanderError } from 'commander'
import { exitCode } from './exit-code.ts'
import { createProgram } from './program.ts'

try {
  await createProgram().parseAsync()
} catch (error) {
  process.exitCode = report(error)
}

/** Tells a person what went wrong and returns the exit code for it. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCode.usage
  if (isForPeople(error)) {
    process.stderr.write(`${error.message}\n${error.hint}\n`)
    return error.exitCode ?? exitCode.usage
  }
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`This is an error of the kit, not of the target.\n${details}\n`)
  return exitCode.kitError
}

/** Errors that a person can do something about carry a hint. */
function isForPeople(error: unknown): error is Error & { hint: string; exitCode?: number } {
  return error instanceof Error && 'hint' in error && typeof error.hint === 'string'
}
