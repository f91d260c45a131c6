import { join } from 'node:path'
import { pageHtml } from '../../reports/html/tables.tsx'
import { visibleJson } from '../../reports/visible.ts'
import { writeWhole } from '../../reports/write.ts'
import type { Fleet } from '../fleet-document.ts'
import { renderFleetJunit } from './junit.ts'
import { fleetPage } from './page.ts'

/** Writes `fleet.json`, `fleet.html` and `junit.xml` into a folder that exists; returns the path of the page. */
export async function writeFleet(fleet: Fleet, out: string): Promise<string> {
  await writeWhole(join(out, 'fleet.json'), renderFleetJson(fleet))
  await writeWhole(join(out, 'junit.xml'), renderFleetJunit(fleet))
  return writeWhole(join(out, 'fleet.html'), pageHtml(fleetPage(fleet)))
}

/** A piece for each install, as they are many. */
function* renderFleetJson(fleet: Fleet): Generator<string> {
  const [head = '', end = ''] = visibleJson({ ...fleet, installs: [] }, 2).split('"installs": []')
  yield `${head}"installs": [`
  for (const [place, install] of fleet.installs.entries()) {
    yield `${place === 0 ? '' : ','}\n    ${visibleJson(install, 0)}`
  }
  yield `\n  ]${end}\n`
}
