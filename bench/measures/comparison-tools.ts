import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { load } from '../load.ts'
import { simulator, withKey } from '../product.ts'
import type { Measurement } from '../row.ts'
import type { Program, Workspace } from '../workspace.ts'

const packages = fileURLToPath(new URL('../node_modules', import.meta.url))
const command = (name: string, ...args: readonly string[]): Program => ({ command: `${packages}/.bin/${name}`, args })

/** How to give each peer a list to serve at /api/rules. */
const programs: Readonly<Record<string, (workspace: Workspace, list: string) => (port: number) => Program>> = {
  prism: (workspace, list) => {
    const file = workspace.write('openapi.json', openapi(list))
    return (port) => command('prism', 'mock', file, '--port', `${port}`, '--verboseLevel', 'error')
  },
  mockoon: (workspace, list) => {
    const file = workspace.write('mockoon.json', openapi(list))
    return (port) => command('mockoon-cli', 'start', '--data', file, '--port', `${port}`, '--disable-log-to-file')
  },
  wiremock: (workspace, list) => {
    const folder = workspace.path('wiremock')
    mkdirSync(`${folder}/mappings`, { recursive: true })
    const response = { status: 200, headers: { 'Content-Type': 'application/json' }, body: list }
    const mapping = { request: { method: 'GET', urlPath: '/api/rules' }, response }
    writeFileSync(`${folder}/mappings/rules.json`, JSON.stringify(mapping))
    const [jar] = readdirSync(`${packages}/wiremock/build`)
    const args = ['-jar', `${packages}/wiremock/build/${jar}`, '--root-dir', folder, '--no-request-journal']
    return (port) => ({ command: 'java', args: [...args, '--port', `${port}`, '--bind-address', '127.0.0.1'] })
  },
  'json-server': (workspace, list) => {
    const file = workspace.write('db.json', JSON.stringify({ rules: JSON.parse(list) }))
    const routes = workspace.write('routes.json', JSON.stringify({ '/api/*': '/$1' }))
    return (port) =>
      command('json-server', '--quiet', '--host', '127.0.0.1', '--routes', routes, '--port', `${port}`, file)
  },
}

/** The list of 1,000 rules from the simulator and from each peer. */
export const comparisonTools: Measurement = {
  rounds: 5,
  warmUp: true,
  open: async (workspace) => {
    const request = { method: 'GET', path: '/api/rules', headers: withKey }
    const server = await simulator(workspace, { rules: 1000 })
    const list = await (await fetch(`${server.url}/api/rules`, { headers: withKey })).text()
    const sides = { product: () => load(server.url, [request], [200]) }
    const others = Object.entries(programs).map(async ([name, program]) => {
      const peer = await workspace.serve(program(workspace, list))
      return [name, () => load(peer.url, [request], [200])] as const
    })
    return { ...sides, ...Object.fromEntries(await Promise.all(others)) }
  },
}

/** A document with the list as its only example, for Prism and Mockoon. */
function openapi(list: string): string {
  const content = { 'application/json': { example: JSON.parse(list) } }
  return JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Rules', version: '1' },
    paths: { '/api/rules': { get: { responses: { 200: { description: 'The rules', content } } } } },
  })
}
