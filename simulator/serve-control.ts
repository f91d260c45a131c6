import type { ControlServer, ControlServerOptions } from './control/server/serve.ts'
import { NotListeningError } from './server/front.ts'
import { type Log, resolveLog } from './server/log.ts'
import type { Simulator } from './simulator.ts'

/**
 * Opens the control server of a simulator, on a port of its own: everything in `simulator.control`
 * as JSON endpoints, metrics, and the live page. It is independent of the plugin: it answers while
 * the plugin is stopped or has crashed, and has to be closed by itself.
 *
 * @throws PortUnavailableError, InvalidTokenError
 */
export async function serveControl(
  simulator: Simulator,
  options: ControlServerOptions & { readonly log?: Log } = {},
): Promise<ControlServer> {
  // Loaded here: a simulator without a control server should start without its libraries.
  const { serve } = await import('./control/server/serve.ts')
  const url = () => {
    try {
      return simulator.url
    } catch (error) {
      if (error instanceof NotListeningError) return null
      throw error
    }
  }
  return serve({ control: simulator.control, url }, options, resolveLog(options.log))
}
