import { ruleDefects } from './2-3-rule.ts'
import { statusDefects } from './2-4-status.ts'
import { addDefects } from './4-2-add.ts'
import { addFieldDefects } from './4-2-add-fields.ts'
import { addJsonDefects } from './4-2-add-json.ts'
import { deleteDefects } from './4-2-delete.ts'
import { listDefects } from './4-2-list.ts'
import { relatedRuleDefects } from './4-2-related-rules.ts'
import { fileDefects } from './4-3-file.ts'
import { savingDefects } from './4-3-saving.ts'
import { startUpDefects } from './4-3-start-up.ts'
import { headerDefects } from './5-headers.ts'
import { keyDefects } from './5-key.ts'
import { errorDefects } from './7-errors.ts'
import { pathDefects } from './7-paths.ts'
import { unrequestedDefects } from './7-unrequested.ts'
import { capacityDefects } from './8-capacity.ts'
import type { Defect } from './defect.ts'
import { httpDefects } from './http.ts'
import { listStateDefects } from './list-states.ts'
import { nativeDefects } from './native.ts'
import { ordinaryDefects } from './ordinary.ts'
import { robustnessDefects } from './robustness.ts'
import { parallelDefects } from './robustness-parallel.ts'
import { sequenceDefects } from './sequences.ts'

const inAnyState: readonly Defect[] = [
  ...ruleDefects,
  ...statusDefects,
  ...listDefects,
  ...addDefects,
  ...addFieldDefects,
  ...addJsonDefects,
  ...deleteDefects,
  ...relatedRuleDefects,
  ...savingDefects,
  ...fileDefects,
  ...startUpDefects,
  ...keyDefects,
  ...headerDefects,
  ...pathDefects,
  ...errorDefects,
  ...unrequestedDefects,
  ...ordinaryDefects,
  ...capacityDefects,
  ...httpDefects,
  ...robustnessDefects,
  ...parallelDefects,
  ...sequenceDefects,
  ...nativeDefects,
]

/** Ways in which a copy-trade plugin can be wrong, by clause. Each replaces hooks of the simulator. */
export const pluginDefects: readonly Defect[] = [...inAnyState, ...listStateDefects(inAnyState)]

export type { Defect }
