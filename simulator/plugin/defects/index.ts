import { addedRuleDefects } from './2-3-added-rule.ts'
import { listedRuleDefects } from './2-3-listed-rule.ts'
import { storedRuleDefects } from './2-3-stored-rule.ts'
import { statusDefects } from './2-4-status.ts'
import { addAcceptedDefects } from './4-2-add-accepted.ts'
import { addJsonDefects } from './4-2-add-json.ts'
import { addMissingDefects } from './4-2-add-missing.ts'
import { addResponseDefects } from './4-2-add-response.ts'
import { addTypeDefects } from './4-2-add-types.ts'
import { addValueDefects } from './4-2-add-values.ts'
import { deleteRangeDefects } from './4-2-delete-range.ts'
import { deleteRuleDefects } from './4-2-delete-rule.ts'
import { deleteSpellingDefects } from './4-2-delete-spelling.ts'
import { listDefects } from './4-2-list.ts'
import { relatedRuleDefects } from './4-2-related-rules.ts'
import { crashDefects } from './4-3-crash.ts'
import { fileDefects } from './4-3-file.ts'
import { savingDefects } from './4-3-saving.ts'
import { startUpDefects } from './4-3-start-up.ts'
import { disabledDefects } from './5-disabled.ts'
import { headerDefects } from './5-headers.ts'
import { keyDefects } from './5-key.ts'
import { twoHeaderDefects } from './5-two-headers.ts'
import { wholeKeyDefects } from './5-whole-key.ts'
import { echoDefects } from './7-echoes.ts'
import { errorDefects } from './7-errors.ts'
import { methodDefects } from './7-methods.ts'
import { pathDefects } from './7-paths.ts'
import { unrequestedDefects } from './7-unrequested.ts'
import { capacityDefects } from './8-capacity.ts'
import { limitDefects } from './8-limits.ts'
import type { Defect } from './defect.ts'
import { httpDefects } from './http.ts'
import { malformedHttpDefects } from './http-malformed.ts'
import { listOrderDefects } from './list-order.ts'
import { listStateDefects } from './list-states.ts'
import { nativeDefects } from './native.ts'
import { nativeConnectionDefects } from './native-connections.ts'
import { ordinaryDefects } from './ordinary.ts'
import { parameterChangeDefects } from './parameter-changes.ts'
import { robustnessDefects } from './robustness.ts'
import { parallelDefects } from './robustness-parallel.ts'
import { sequenceDefects } from './sequences.ts'

const inAnyState: readonly Defect[] = [
  ...listedRuleDefects,
  ...storedRuleDefects,
  ...addedRuleDefects,
  ...statusDefects,
  ...listDefects,
  ...addResponseDefects,
  ...addAcceptedDefects,
  ...addMissingDefects,
  ...addTypeDefects,
  ...addValueDefects,
  ...addJsonDefects,
  ...deleteRuleDefects,
  ...listOrderDefects,
  ...deleteSpellingDefects,
  ...deleteRangeDefects,
  ...relatedRuleDefects,
  ...savingDefects,
  ...fileDefects,
  ...crashDefects,
  ...startUpDefects,
  ...parameterChangeDefects,
  ...keyDefects,
  ...wholeKeyDefects,
  ...headerDefects,
  ...twoHeaderDefects,
  ...disabledDefects,
  ...pathDefects,
  ...methodDefects,
  ...errorDefects,
  ...echoDefects,
  ...unrequestedDefects,
  ...ordinaryDefects,
  ...capacityDefects,
  ...limitDefects,
  ...httpDefects,
  ...malformedHttpDefects,
  ...robustnessDefects,
  ...parallelDefects,
  ...sequenceDefects,
  ...nativeDefects,
  ...nativeConnectionDefects,
]

/** Ways in which a copy-trade plugin can be wrong, by clause. Each replaces hooks of the simulator. */
export const pluginDefects: readonly Defect[] = [...inAnyState, ...listStateDefects(inAnyState)]

export type { Defect }
