import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'

/** The command line options of `selftest`. */
export interface SelftestFlags {
  readonly profiles: number
  readonly sample?: number
  readonly quick: boolean
  readonly only: readonly string[]
  readonly seed?: number
  readonly jobs?: number
  readonly out: string
  readonly json: boolean
}

/** The resolved options of `selftest`. */
export interface SelftestOptions extends Pick<SelftestFlags, 'profiles' | 'quick' | 'only' | 'out' | 'json'> {
  /** The maximum number of defects for each API; infinite for all. */
  readonly sample: number
  readonly seed: number
  readonly jobs: number
}

/** Resolves the flags and the defaults into complete options. */
export function resolveSelftestOptions({ sample, seed, jobs, ...flags }: SelftestFlags): SelftestOptions {
  return {
    ...flags,
    sample: sample ?? Number.POSITIVE_INFINITY,
    seed: seed ?? randomInt(2 ** 31),
    jobs: jobs ?? availableParallelism(),
  }
}
