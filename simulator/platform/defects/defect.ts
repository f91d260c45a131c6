import type { PlatformAnswer, PlatformQuestionId } from '../../../spec/platform/questions.ts'
import type { PlatformRequirementId } from '../../../spec/platform/requirements.ts'
import { observing } from '../../defect-parts/combine.ts'
import { type DefectOf, type MaskOf, rowsOf } from '../../defect-parts/defect.ts'
import type { PlatformHooks, PlatformOverride } from '../hooks/hooks.ts'
import type { TradingAccount } from '../model/trading-account.ts'

/** The answers of a profile to some questions. */
export type PlatformAnswers = { readonly [Id in PlatformQuestionId]?: PlatformAnswer<Id> }

export type PlatformMask = MaskOf<PlatformAnswers, PlatformRequirementId>

/** One way in which a platform API can be wrong. */
export type PlatformDefect = DefectOf<PlatformAnswers, PlatformRequirementId, PlatformOverride>

/** Defects that the same profile answers mask, except those that state their own masks. */
export function maskedByDefault(
  maskedBy: readonly PlatformMask[],
  defects: readonly PlatformDefect[],
): readonly PlatformDefect[] {
  return defects.map((defect) => ({ maskedBy, ...defect }))
}

/** Functions for tables of defects that break the same requirements, and for rows with masks. */
export const { rows, maskedRows, masked } = rowsOf<PlatformAnswers, PlatformRequirementId, PlatformOverride>()

/** What a server with a defect has seen so far, one for each simulator. A hook is counted once it has returned. */
export interface Known {
  /** The trading account that was created last. */
  readonly newest: TradingAccount | undefined
  /** The secret that was hashed last. */
  readonly secret: string
  /** How many times the account was returned. */
  readonly reads: number
}

/** An override that can read what the server has seen. */
export function withKnown(wrong: (hooks: PlatformHooks, known: Known) => Partial<PlatformHooks>): PlatformOverride {
  return (hooks) => {
    const known: Known = { newest: undefined, secret: '', reads: 0 }
    const seeing = observing(hooks, known, {
      addAccount: (_added, _accounts, newest) => ({ newest }),
      hashSecret: (_, secret) => ({ secret }),
      accountBody: () => ({ reads: known.reads + 1 }),
    })
    return { ...seeing, ...wrong({ ...hooks, ...seeing }, known) }
  }
}
