// The command, with the registries of `apis.mjs`: node selftest.mjs <mistake> <folder>
import { selftest } from '../../dist/cli/selftest/selftest.js'

const [mistake, out] = process.argv.slice(2)
const apisModule = new URL(`apis.mjs?${mistake}`, import.meta.url).href
const options = {
  profiles: 4,
  sample: Number.POSITIVE_INFINITY,
  quick: false,
  only: ['broken.*'],
  // With it, the broken defect gets a random profile that hides it.
  seed: 5,
  jobs: 1,
  out,
  json: false,
}
process.exitCode = await selftest(options, apisModule)
