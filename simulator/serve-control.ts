import type { ControlServer, ControlServerOptions } from './control/server/serve.ts'
import type { PlatformSimulator } from './platform/index.ts'
import { urlIfOpen } from './server/address.ts'
import { checkOptions, type OptionKinds } from './server/check-option.ts'
import { type Log, resolveLog } from './server/log.ts'
import type { Simulator } from './simulator.ts'

/** The options of a control server besides its port, address and token. */
export interface ServeControlOptions extends ControlServerOptions {
  readonly log?: Log
  /** A platform that is served next to the plugin. It adds the endpoints `/platform/…`. */
  readonly platform?: PlatformSimulator
}

const optionKinds: OptionKinds<ServeControlOptions> = {
  ...{ port: 'port', host: 'host', token: 'string', log: 'log', platform: 'object' },
}

/**
 * Opens the control server of a simulator on its own port: everything in `simulator.control` as JSON endpoints,
 * metrics, and the live page. It is independent of the plugin: it keeps responding while the plugin is stopped or has
 * crashed, and must be closed separately.
 * @throws PortUnavailableError, InvalidOptionError, UnknownOptionError
 */
export async function serveControl(simulator: Simulator, options: ServeControlOptions = {}): Promise<ControlServer> {
  checkOptions(options, optionKinds)
  // Imported on demand, so that a simulator without a control server does not load its libraries.
  const { serve } = await import('./control/server/serve.ts')
  const { platform } = options
  const served = {
    control: simulator.control,
    url: () => urlIfOpen(simulator),
    platform: platform === undefined ? null : { platform, url: () => urlIfOpen(platform) },
  }
  return serve(served, options, resolveLog(options.log))
}
