import { join } from 'node:path'
import { visibleJson } from '../../reports/visible.ts'
import { writeWhole } from '../../reports/write.ts'
import type { Fleet } from '../fleet-document.ts'
import { renderFleetJunit } from './junit.ts'
import { renderFleetPage } from './page.ts'

/** Writes `fleet.json`, `fleet.html` and `junit.xml` into a folder that exists; returns the path of the page. */
export async function writeFleet(fleet: Fleet, out: string): Promise<string> {
  await writeWhole(join(out, 'fleet.json'), `${visibleJson(fleet, 2)}\n`)
  await writeWhole(join(out, 'junit.xml'), renderFleetJunit(fleet))
  return writeWhole(join(out, 'fleet.html'), renderFleetPage(fleet))
}
