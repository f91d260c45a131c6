/** What can be done to a server that the kit did not start; the names are those of the hooks. */
export const stepNames = ['restart', 'stop', 'start', 'set-parameters', 'delete-rules-file'] as const

export type StepName = (typeof stepNames)[number]

/** Plugin parameters, all strings, by name. */
export type Parameters = Readonly<Record<string, string>>

/** What `API_Key` and the `Copy_N` are to be; every other parameter stays as it is. */
export interface DesiredParameters {
  /** `null` leaves the parameter out. */
  readonly apiKey: { readonly value: string | null } | 'as-before'
  /** All `Copy_N` that there are to be. */
  readonly copy: Parameters | 'as-before'
}

export const asBefore: DesiredParameters = { apiKey: 'as-before', copy: 'as-before' }

/** The parameters that a wish makes of those that stood before. */
export function parametersFor({ apiKey, copy }: DesiredParameters, before: Parameters): Parameters {
  const isCopy = (name: string) => /^Copy_\d+$/i.test(name)
  const kept = Object.entries(before).filter(
    ([name]) => (apiKey === 'as-before' || name !== 'API_Key') && (copy === 'as-before' || !isCopy(name)),
  )
  return {
    ...Object.fromEntries(kept),
    ...(apiKey === 'as-before' || apiKey.value === null ? {} : { API_Key: apiKey.value }),
    ...(copy === 'as-before' ? {} : copy),
  }
}

/** Whether two wishes come to the same; what is not known (null) is like nothing. */
export function sameParameters(a: DesiredParameters, b: DesiredParameters | null): boolean {
  return b !== null && JSON.stringify([a.apiKey, a.copy]) === JSON.stringify([b.apiKey, b.copy])
}

/** What steps are done for: a check may be left out, giving the server back had better not. */
export type Purpose = 'check' | 'give-back'

/** Somebody who carries out steps: the hooks of an operator, or a person. */
export interface LifecycleOperator {
  can(step: StepName): boolean
  /**
   * Carries out steps in this order, with the wish that holds for the next start.
   *
   * @throws {StepFailed} when one could not be done
   * @throws {StepSkipped} when a person would not do it
   */
  carryOut(steps: readonly StepName[], desired: DesiredParameters, purpose: Purpose): Promise<void>
}

/** A person, who can be asked again when a step seems not to have been done. */
export interface Person extends LifecycleOperator {
  /**
   * Says what the kit sees and asks what to do: look again, or, where the server may be at fault,
   * judge it as it is.
   *
   * @throws {StepSkipped}
   */
  askAgain(trouble: string, mayAccept: boolean, purpose: Purpose): Promise<'look' | 'accept'>
}

/** A step was not done, or not as it should have been. It is no verdict about the server. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed'
}

/** A person chose not to do a step. */
export class StepSkipped extends Error {
  override readonly name = 'StepSkipped'
  /** Whether the person wants to be asked for no further check. */
  readonly forAll: boolean

  constructor(message: string, forAll = false) {
    super(message)
    this.forAll = forAll
  }
}
