// The command, with the registries of `apis.mjs`: node selftest.mjs <what is planted> <folder>
import { selftest } from '../../dist/cli/selftest/selftest.js'

const [plant, out] = process.argv.slice(2)
const apisModule = new URL(`apis.mjs?${plant}`, import.meta.url).href
const { apis } = await import(apisModule)
const options = {
  profiles: 12,
  sample: Number.POSITIVE_INFINITY,
  quick: false,
  only: ['planted.*'],
  // With it, the planted defect gets a random profile that hides it.
  seed: 8,
  jobs: 1,
  out,
  json: false,
}
process.exitCode = await selftest(options, { apis, apisModule })
