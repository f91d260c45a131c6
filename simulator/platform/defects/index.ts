import { accountDefects } from './2-1-account.ts'
import { creationDefects } from './4-1-create.ts'
import { listDefects } from './4-1-list.ts'
import { keyDefects } from './5-key.ts'
import { errorDefects } from './7-errors.ts'
import type { PlatformDefect } from './defect.ts'
import { httpDefects } from './http.ts'

/** Ways in which a platform API can be wrong, by clause. Each replaces hooks of its simulator. */
export const platformDefects: readonly PlatformDefect[] = [
  ...accountDefects,
  ...creationDefects,
  ...listDefects,
  ...keyDefects,
  ...errorDefects,
  ...httpDefects,
]

export type { PlatformDefect }
