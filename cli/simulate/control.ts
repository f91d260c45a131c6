import type { Logger } from 'pino'
import { type ControlServer, type Simulator, serveControl } from '../../simulator/index.ts'
import type { PlatformSimulator } from '../../simulator/platform/index.ts'
import type { SimulateFlags } from './options.ts'

/** What the control plane is about. */
interface Controlled {
  readonly simulator: Simulator
  readonly platform: PlatformSimulator | null
}

/** Opens the control plane if it is asked for. */
export async function openControl(
  { simulator, platform }: Controlled,
  { controlPort: port, controlHost: host = '127.0.0.1' }: SimulateFlags,
  log: Logger,
): Promise<ControlServer | null> {
  if (port === undefined) return null
  const token = givenToken()
  return serveControl(simulator, {
    port,
    host,
    log,
    ...(token !== undefined && { token }),
    ...(platform !== null && { platform }),
  })
}

/**
 * Says once where the control plane is. A token that was made is in what is printed, since nobody
 * would know it otherwise; one that was given is not.
 */
export function announceControl({ url, pageUrl, token }: ControlServer, log: Logger): void {
  if (givenToken() === undefined) log.info({ control: url, page: pageUrl, token }, 'control')
  else log.info({ control: url, page: `${url}/` }, 'control')
}

function givenToken(): string | undefined {
  return process.env.TCK_CONTROL_TOKEN
}
