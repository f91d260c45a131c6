import type { PluginAnswer, PluginQuestionId } from '../../../spec/plugin/questions.ts'
import type { PluginRequirementId } from '../../../spec/plugin/requirements.ts'
import { type DefectOf, type MaskOf, rowsOf } from '../../defect-parts/defect.ts'
import type { Hooks, Override } from '../hooks/hooks.ts'
import { type Known, observe } from './known.ts'

/** The answers of a profile to some questions. */
export type PluginAnswers = { readonly [Id in PluginQuestionId]?: PluginAnswer<Id> }

/** Profile answers that mask a defect: with them it cannot be observed. */
export type Mask = MaskOf<PluginAnswers, PluginRequirementId>

/** One way in which a plugin can be wrong. */
export type Defect = DefectOf<PluginAnswers, PluginRequirementId, Override>

/** Functions for tables of defects that break the same requirements, and for rows with masks. */
export const { overrideOf, rows, maskedRows, masked } = rowsOf<PluginAnswers, PluginRequirementId, Hooks, Known>(
  observe,
)
