/** What can be done to a running server. The names are those of the hooks. */
export type StepName = 'restart' | 'stop' | 'start' | 'set-parameters' | 'delete-rules-file'

/** Plugin parameters, all strings, by name. */
export type Parameters = Readonly<Record<string, string>>

/** The desired `API_Key` and `Copy_N`; every other parameter stays as it is. */
export interface DesiredParameters {
  /** `null` leaves the parameter out. */
  readonly apiKey: { readonly value: string | null } | 'as-before'
  /** All `Copy_N`. */
  readonly copy: Parameters | 'as-before'
}

export const asBefore: DesiredParameters = { apiKey: 'as-before', copy: 'as-before' }

/** The original parameters with the desired changes. */
export function parametersFor({ apiKey, copy }: DesiredParameters, before: Parameters): Parameters {
  const isCopy = (name: string) => /^Copy_\d+$/i.test(name)
  const unchanged = Object.entries(before).filter(
    ([name]) => (apiKey === 'as-before' || name !== 'API_Key') && (copy === 'as-before' || !isCopy(name)),
  )
  return {
    ...Object.fromEntries(unchanged),
    ...(apiKey === 'as-before' || apiKey.value === null ? {} : { API_Key: apiKey.value }),
    ...(copy === 'as-before' ? {} : copy),
  }
}

/** Unknown parameters (null) equal no others. */
export function sameParameters(a: DesiredParameters, b: DesiredParameters | null): boolean {
  return b !== null && JSON.stringify([a.apiKey, a.copy]) === JSON.stringify([b.apiKey, b.copy])
}

/** Why steps are done: for a check, which may be skipped, or to restore the server. */
export type Purpose = 'check' | 'restore'

/** Carries out steps: the hooks, or a person. */
export interface LifecycleOperator {
  can(step: StepName): boolean
  /** Throws `StepFailed` or `StepSkipped`. The desired parameters apply from the next start on. */
  carryOut(steps: readonly StepName[], desired: DesiredParameters, purpose: Purpose): Promise<void>
}

/** A person, who can be asked again if a step seems not to have been done. */
export interface Person extends LifecycleOperator {
  /** Asks what to do: verify again or, if the server may be at fault, accept its state. Throws `StepSkipped`. */
  askAgain(problem: string, mayAccept: boolean, purpose: Purpose): Promise<'verify' | 'accept'>
}

/** A step was not done, or not as requested. This does not count against the server. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed'
}

export class StepSkipped extends Error {
  override readonly name = 'StepSkipped'
  /** Whether the person also skips the steps of all further checks. */
  readonly forAll: boolean

  constructor(message: string, forAll = false) {
    super(message)
    this.forAll = forAll
  }
}
