/** Exit codes, which are part of the public interface. */
export const exitCode = {
  conformant: 0,
  nonConformant: 1,
  usage: 2,
  incomplete: 3,
  unreachable: 4,
  harmed: 5,
  kitError: 70,
} as const

/** The verdict that decides the colour of a page about several runs. */
export function lookOf(code: number): 'conformant' | 'incomplete' | 'non-conformant' {
  if (code === exitCode.conformant) return 'conformant'
  return code === exitCode.incomplete ? 'incomplete' : 'non-conformant'
}
