import type { Logger } from 'pino'
import { type ControlServer, type Simulator, serveControl } from '../../simulator/index.ts'
import type { SimulateFlags } from './options.ts'

/**
 * Opens the control plane if it is asked for, and says once where it is. A token that was made is
 * in what is printed, since nobody would know it otherwise; one that was given is not.
 */
export async function openControl(
  simulator: Simulator,
  { controlPort: port, controlHost: host = '127.0.0.1' }: SimulateFlags,
  log: Logger,
): Promise<ControlServer | null> {
  if (port === undefined) return null
  const given = process.env.TCK_CONTROL_TOKEN
  const server = await serveControl(simulator, { port, host, log, ...(given === undefined ? {} : { token: given }) })
  const page = given === undefined ? server.pageUrl : `${server.url}/`
  log.info({ control: server.url, page, ...(given === undefined ? { token: server.token } : {}) }, 'control')
  return server
}
