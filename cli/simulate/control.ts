import type { Logger } from 'pino'
import type { ControlServer, Simulator } from '../../simulator/index.ts'
import type { PlatformSimulator } from '../../simulator/platform/index.ts'
import type { SimulateFlags } from './options.ts'

/** The simulators that the control API controls. */
interface Controlled {
  readonly simulator: Simulator
  readonly platform: PlatformSimulator | null
}

/** Starts the control API if `--control-port` is given. */
export async function openControl(
  { simulator, platform }: Controlled,
  { controlPort: port, controlHost: host = '127.0.0.1' }: SimulateFlags,
  log: Logger,
): Promise<ControlServer | null> {
  if (port === undefined) return null
  const token = givenToken()
  const { serveControl } = await import('../../simulator/serve-control.ts')
  return serveControl(simulator, {
    port,
    host,
    log,
    ...(token !== undefined && { token }),
    ...(platform !== null && { platform }),
  })
}

/**
 * Logs the address of the control API. A created token is logged as well, because it is shown nowhere
 * else; a given token is not logged.
 */
export function announceControl({ url, pageUrl, token }: ControlServer, log: Logger): void {
  if (givenToken() === undefined) log.info({ control: url, page: pageUrl, token }, 'control')
  else log.info({ control: url, page: `${url}/` }, 'control')
}

function givenToken(): string | undefined {
  return process.env.TCK_CONTROL_TOKEN
}
