import { resolveRunOptions } from '../cli/options/run-options.ts'
import { apis } from '../cli/target/apis.ts'
import { describeConformance, describePluginConformance } from '../cli/vitest/conformance.ts'
import { flagsOf } from '../cli/vitest/options.ts'
import type { Risk } from '../suites/session/check.ts'

// npx vitest run --project conformance
//
// Judges the embedded simulators. With TCK_TARGET and TCK_API_KEY it judges the plugin at that URL, and
// sends only GET, HEAD and OPTIONS unless TCK_RISK is `write` or `exclusive`.

const { TCK_TARGET: url, TCK_API_KEY: apiKey, TCK_RISK: risk = 'read' } = process.env

if (url === undefined) {
  const options = { title: 'the embedded simulators conform', strict: true, complete: true }
  describeConformance(apis, options, async (seed) => resolveRunOptions(flagsOf(options, seed), {}))
} else {
  if (apiKey === undefined) throw new Error('`TCK_TARGET` requires an API key. Set `TCK_API_KEY`.')
  if (!isRisk(risk)) throw new Error('`TCK_RISK` is not a risk. Use `read`, `write` or `exclusive`.')
  describePluginConformance({ url, apiKey, risk, title: `the plugin at ${url} conforms` })
}

function isRisk(text: string): text is Risk {
  return ['read', 'write', 'exclusive'].includes(text)
}
