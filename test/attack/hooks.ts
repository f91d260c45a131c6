import { copyFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import type { Child } from '../../fixtures/servers/child.ts'

/** Shell hooks with which the kit drives the life cycle of the server in these rounds. */
export interface Hooks {
  /** Options of the kit. */
  readonly args: readonly string[]
  close(): void
}

/** Each hook asks this process to start or stop the server. */
export async function startHooks(server: Child, folder: string): Promise<Hooks> {
  const parameters = join(dirname(server.file), 'parameters.json')
  const before = join(folder, 'parameters.json')
  copyFileSync(parameters, before)
  const steps: Readonly<Record<string, () => Promise<unknown>>> = { '/start': server.start, '/stop': server.stop }
  const control = createServer(async (request, response) => {
    await steps[request.url ?? '']?.()
    response.end()
  })
  await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve))
  const { port } = control.address() as AddressInfo
  const ask = (step: string) => `"${process.execPath}" -e 'fetch("http://127.0.0.1:${port}/${step}")'`
  return {
    args: [
      ...['--hook-stop', ask('stop'), '--hook-start', ask('start'), '--parameters', before],
      ...['--hook-set-parameters', `cp "$TCK_PARAMETERS" "${parameters}"`],
      ...['--hook-delete-rules-file', `rm -f "${server.file}"`],
    ],
    close: () => control.close(),
  }
}
