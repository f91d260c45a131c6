import type { Concern, Denial, ErrorResponse } from './error-response.ts'

/** Who sent the request, and with it what they are told. */
export interface Caller {
  readonly authorized: boolean
  /** Throws the refusal, or in its place that the key is wrong where that is not for this caller to know. */
  readonly refuse: (concern: Concern, refusal: Denial) => never
  /** Throws that the key is wrong unless the caller is authorized, or may first be told about the concern. */
  readonly admit: (concern?: Concern) => void
}

/** A caller of whom is known whether the key was right, and of which concerns strangers are told. */
export function callerOf({
  authorized,
  toldToStrangers,
  unauthorized,
}: {
  readonly authorized: boolean
  readonly toldToStrangers: readonly Concern[]
  readonly unauthorized: () => ErrorResponse
}): Caller {
  const tells = (concern?: Concern) => authorized || (concern !== undefined && toldToStrangers.includes(concern))
  return {
    authorized,
    refuse: (concern, refusal) => {
      throw tells(concern) ? refusal : unauthorized()
    },
    admit: (concern) => {
      if (!tells(concern)) throw unauthorized()
    },
  }
}
