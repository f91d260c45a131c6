import { createClock } from './control/clock.ts'
import { type Control, createControl } from './control/control.ts'
import { faultList } from './control/faults/fault-list.ts'
import { faultPlayer } from './control/faults/play.ts'
import { journalBook } from './control/journal/journal.ts'
import { journaled } from './control/journal/keep.ts'
import { type Alive, type Controlled, type State, takeState } from './control/state.ts'
import type { Life } from './life.ts'
import { type PluginLifeCycle, pluginLifeCycle } from './life-cycle.ts'
import { checkCapacity, type Resolved } from './options.ts'

/** The lives of a plugin, with faults, a journal and everything else that a control plane does to it. */
export function controlled(resolved: Resolved): { readonly cycle: PluginLifeCycle; readonly control: Control } {
  const faults = faultList()
  const journal = journalBook(resolved.journal, createClock())
  const player = faultPlayer(faults, () => cycle.crash())
  const file = player.onFile(resolved.file)
  let initial: State | undefined
  const cycle = pluginLifeCycle({
    ...resolved,
    file,
    between: (api, watched) => {
      const faulty = player.onApi(api)
      return resolved.journal === 0 ? faulty : journaled(faulty, journal, watched)
    },
    onFirstLife: async (life) => {
      initial = await takeState({ ...plugin, present: () => alive(life) })
    },
  })
  const plugin = asControlled(cycle, resolved)
  return { cycle, control: createControl({ plugin, faults, journal, initial: () => initial }) }
}

function asControlled(cycle: PluginLifeCycle, { file, seams }: Resolved): Controlled {
  const { settings, crash, restart, parameters, setParameters } = cycle
  return {
    alive: async () => alive(await cycle.firstOrPresent()),
    present: () => alive(cycle.present()),
    restart,
    crash,
    file,
    encodeFile: seams.encodeFile,
    parameters,
    setParameters,
    capacity: () => settings.capacity,
    setCapacity: (capacity) => {
      settings.capacity = checkCapacity(capacity)
    },
    licenseActive: () => settings.plugin.licenseActive,
    setLicenseActive: (licenseActive) => {
      settings.plugin = { ...settings.plugin, licenseActive }
    },
  }
}

function alive(life: Life | undefined): Alive | undefined {
  return life && { rules: life.list.rules, parameters: life.parameters, replaceRules: life.replaceRules }
}
