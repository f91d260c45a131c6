import { type Control, createControl } from './control/control.ts'
import { faultList } from './control/faults/fault-list.ts'
import { faultPlayer } from './control/faults/play.ts'
import type { ClientReport } from './control/journal/client-report.ts'
import { journalBook } from './control/journal/journal.ts'
import { journaled } from './control/journal/record.ts'
import { type Alive, type Controlled, type State, takeState } from './control/plugin-state.ts'
import { readFaulted } from './control/read-faulted.ts'
import type { Life } from './plugin/instance.ts'
import { type PluginLifeCycle, pluginLifeCycle } from './plugin/life-cycle.ts'
import { checkCapacity, type Resolved } from './plugin/options.ts'
import { admitRule } from './plugin/stages/validate.ts'
import { createClock } from './server/clock.ts'
import { signal } from './server/notifier.ts'

/** The lives of a plugin, with faults, a journal and everything else that a control plane does to it. */
export function controlled(resolved: Resolved): { readonly cycle: PluginLifeCycle; readonly control: Control } {
  const changes = signal()
  const faults = faultList(changes.tell)
  const journal = journalBook(resolved.journal, createClock())
  const player = faultPlayer(faults, () => lives.crash())
  const file = player.onFile(resolved.file)
  let initial: State | undefined
  const lives = pluginLifeCycle({
    ...resolved,
    file,
    between: (api, watched) => {
      const faulty = readFaulted(player.onApi(api), resolved.hooks.bodyLimitBytes)
      return resolved.journal === 0 ? faulty : journaled(faulty, journal, watched)
    },
    onFirstLife: async (life) => {
      initial = await takeState({ ...plugin, present: () => alive(life) })
    },
    onTurn: changes.tell,
  })
  const cycle: PluginLifeCycle = {
    ...lives,
    // What a fault lets wait would otherwise hold up every end.
    stop: () => {
      player.release()
      return lives.stop()
    },
    restart: (next, change) => {
      player.release()
      return lives.restart(next, change)
    },
  }
  const plugin = asControlled(cycle, resolved)
  const parts = {
    plugin,
    faults,
    journal,
    changes,
    resets: signal<() => ClientReport>(),
    release: player.release,
    initial: () => initial,
  }
  return { cycle, control: createControl({ ...parts, profile: resolved.profile }) }
}

function asControlled(cycle: PluginLifeCycle, { file, hooks }: Resolved): Controlled {
  const { settings, crash, restart, parameters, setParameters } = cycle
  return {
    alive: async () => alive(await cycle.firstOrPresent()),
    present: () => alive(cycle.present()),
    restart,
    crash,
    file,
    admitRule: (rule, rules) => admitRule(rule, rules, hooks),
    encodeFile: hooks.encodeFile,
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
  return life && { rules: life.list.rules, parameters: life.parameters, between: life.between }
}
