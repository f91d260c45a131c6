/** Exit codes of the command, relied on from outside. */
export const exitCode = {
  conformant: 0,
  nonConformant: 1,
  usage: 2,
  incomplete: 3,
  unreachable: 4,
  harmed: 5,
  kitError: 70,
} as const
