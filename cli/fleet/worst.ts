import { exitCode } from '../exit-code.ts'

/** The worst first: a server that must be repaired by hand, then what says least about the servers. */
const worstFirst: readonly number[] = [
  exitCode.harmed,
  exitCode.kitError,
  exitCode.unreachable,
  exitCode.usage,
  exitCode.nonConformant,
  exitCode.incomplete,
  exitCode.conformant,
]

/** The exit code of several runs; 0 without any. */
export function worstOf(codes: readonly number[]): number {
  return worstFirst.find((code) => codes.includes(code)) ?? exitCode.conformant
}
