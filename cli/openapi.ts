import { readFile } from 'node:fs/promises'
import { Argument, Command } from 'commander'

/** `copytrade-tck openapi <api>`: prints the OpenAPI document of an API. */
export function openapiCommand(): Command {
  return new Command('openapi')
    .description('Print the OpenAPI 3.1 document of an API.')
    .addArgument(new Argument('<api>', 'API').choices(['plugin', 'platform']))
    .action(async (api: string) => {
      process.stdout.write(await readFile(new URL(`../spec/openapi/${api}.yaml`, import.meta.url), 'utf8'))
    })
}
