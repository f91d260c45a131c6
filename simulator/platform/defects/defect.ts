import type { PlatformAnswer, PlatformQuestionId } from '../../../spec/platform/questions.ts'
import type { PlatformRequirementId } from '../../../spec/platform/requirements.ts'
import { type DefectOf, type MaskOf, rowsOf } from '../../defect-parts/defect.ts'
import type { PlatformHooks, PlatformOverride } from '../hooks/hooks.ts'
import { type Known, observe } from './overrides.ts'

/** The answers of a profile to some questions. */
export type PlatformAnswers = { readonly [Id in PlatformQuestionId]?: PlatformAnswer<Id> }

export type PlatformMask = MaskOf<PlatformAnswers, PlatformRequirementId>

/** One way in which a platform API can be wrong. */
export type PlatformDefect = DefectOf<PlatformAnswers, PlatformRequirementId, PlatformOverride>

/** Functions for tables of defects that break the same requirements, and for rows with masks. */
export const { rows, maskedByDefault, maskedRows, masked } = rowsOf<
  PlatformAnswers,
  PlatformRequirementId,
  PlatformHooks,
  Known
>(observe)
