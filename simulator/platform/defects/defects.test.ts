import { expect, test } from 'vitest'
import { platformRequirements } from '../../../spec/platform/requirements.ts'
import { platformDefects } from './index.ts'

test('every requirement is broken by a defect', () => {
  const broken = new Set<string>(platformDefects.flatMap(({ breaks }) => breaks))
  expect(platformRequirements.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([])
})

test('the ids of the defects are unique and start with the API', () => {
  const ids = platformDefects.map(({ id }) => id)
  expect(ids.filter((id, place) => ids.indexOf(id) !== place || !id.startsWith('platform.'))).toEqual([])
})
