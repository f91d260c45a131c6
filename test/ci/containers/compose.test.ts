import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { command } from '../../command.ts'

const root = new URL('../../../', import.meta.url)

test('compose.yaml and the image set variables that the command knows', async () => {
  const { services } = parse(readFileSync(new URL('compose.yaml', root), 'utf8')) as {
    services: { plugin: { environment: Record<string, string>; volumes: string[] } }
  }
  const { stdout: help } = await command(['simulate', '--help'])
  const image = readFileSync(new URL('Dockerfile', root), 'utf8')
  const inImage = [...image.matchAll(/^(?:ENV)? +(TCK_\w+)=/gm)].map(([, name]) => name)
  expect(inImage).toEqual(['TCK_HOST', 'TCK_CONTROL_HOST', 'TCK_DATA_DIR'])
  for (const name of [...Object.keys(services.plugin.environment), ...inImage]) expect(help).toContain(name)
  expect(services.plugin.volumes).toEqual(['rules:/data'])
})

test('--help names every variable that configures a simulator', async () => {
  const { stdout: help } = await command(['simulate', '--help'])
  const names = ['PORT', 'HOST', 'API_KEY', 'DATA_DIR', 'PARAMETERS', 'CAPACITY', 'PROFILE', 'DEFECT']
  for (const name of [...names, 'CONTROL_PORT', 'CONTROL_HOST', 'CONTROL_TOKEN']) expect(help).toContain(`TCK_${name}`)
  for (const name of ['API_Key', 'API_Port', 'Copy_1']) expect(help).toContain(name)
})
