// @ts-check
// The proof of a release: `npm run proof`. It runs every test that has a long form in that form, the mutation of the
// checks and the attack on safety, and writes the results to `proof.json`. Started again on the same commit, it
// continues with what has not passed yet. `--list` prints the parts; any other argument selects parts by name.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** @typedef {{ name: string, script: string, args: string[], figures: RegExp }} Part */
/** @typedef {{ name: string, passed: boolean, figures: string, seconds: number }} Result */
/** @typedef {{ commit: string, seed: number, node: string, parts: Result[] }} Proof */

const root = fileURLToPath(new URL('..', import.meta.url))
const file = `${root}proof.json`
const given = process.argv.slice(2)

const commit = git('rev-parse', 'HEAD').trim()
/** @type {Proof | null} */
const earlier = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
const seed = Number(process.env.TCK_SEED ?? (earlier?.commit === commit ? earlier.seed : Date.now() % 2 ** 30))

/** @type {Part[]} */
const parts = [
  ...testsWithLongForm().map((test) => ({
    ...{ name: test, script: 'node_modules/vitest/vitest.mjs', args: ['run', test], figures: /^ +Tests +(.*)$/gm },
  })),
  {
    ...{ name: 'mutation', script: 'scripts/mutation/mutation.js', args: ['--seed', `${seed}`] },
    figures: /^(\d+ of \d+ mutants killed.*)$/gm,
  },
  {
    ...{ name: 'attack', script: 'scripts/attack.js', args: ['--rounds', '500', '--seed', `${seed}`] },
    figures: /^(\d+ rounds: .*)$/gm,
  },
]

if (given.includes('--list')) console.log(parts.map(({ name }) => name).join('\n'))
else await prove()

async function prove() {
  if (git('status', '--porcelain', '--', '.', ':!proof.json') !== '') {
    console.error('A proof is of a commit, and there are changes that are not committed. Commit or stash them first.')
    process.exit(2)
  }
  const isSame = earlier?.commit === commit && earlier.seed === seed
  /** @type {Proof} */
  const proof = { commit, seed, node: process.version, parts: isSame ? earlier.parts : [] }
  console.log(`Proof of ${commit}, seed ${seed}`)
  for (const part of parts) {
    if (given.length > 0 && !given.some((text) => part.name.includes(text))) continue
    const known = proof.parts.find(({ name }) => name === part.name)
    if (known?.passed) continue
    const result = await run(part)
    console.log(`${result.passed ? 'passed' : 'FAILED'}  ${part.name}: ${result.figures}, ${result.seconds} s`)
    proof.parts = [...proof.parts.filter((one) => one !== known), result]
    writeFileSync(file, `${JSON.stringify(proof, null, 2)}\n`)
  }
  const open = parts.filter(({ name }) => !proof.parts.some((one) => one.name === name && one.passed))
  console.log(`${parts.length - open.length} of ${parts.length} parts passed: proof.json`)
  if (open.length > 0) process.exitCode = 1
}

/** @param {Part} part @returns {Promise<Result>} */
async function run({ name, script, args, figures }) {
  const started = performance.now()
  const env = { ...process.env, TCK_PROOF: '1', TCK_SEED: `${seed}`, CI: 'true', NO_COLOR: '1' }
  const child = spawn(process.execPath, [script, ...args], { cwd: root, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const [code] = await once(child, 'close')
  const found = [...output.matchAll(figures)].at(-1)?.[1]
  if (code !== 0) console.error(output.slice(-20_000))
  const seconds = Math.round((performance.now() - started) / 1_000)
  return { name, passed: code === 0 && found !== undefined, figures: found ?? `exit code ${code}`, seconds }
}

/** Test files that use `fixtures/test-size.ts` or `chosenChecks`. */
function testsWithLongForm() {
  const tests = git('ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts').trim().split('\n')
  const hasLongForm = /import \{[^}]*\b(testSize|isProof|someOf|chosenChecks)\b[^}]*\} from/
  return tests.filter(
    (test) => existsSync(`${root}${test}`) && hasLongForm.test(readFileSync(`${root}${test}`, 'utf8')),
  )
}

/** @param {string[]} args */
function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout
}
