// @ts-check
// Tests whether the catalogue of defects proves each expectation: `npm run mutation`. A mutant of a check is one
// weakened expectation, loop or condition. It is killed if, in one of the usual runs of users, a requirement no longer
// catches a defect that breaks it or does so with other failure codes, or if the check fails for a simulator without a
// defect. A survivor is an expectation that no defect needs.
import { mkdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import picomatch from 'picomatch'
import { bundle } from './bundle.js'
import { createThreads } from './threads.js'

/** @typedef {import('./mutants.js').Mutant} Mutant */
/** @typedef {import('./thread.js').Judged} Judged */
/** A check and a defect that it catches, or null. `codes`: of its failure. `reached`: the mutants that it executed. */
/** @typedef {{ api: string, requirement: string, check: string, defect: string | null, codes: string[], reached: Set<number> }} Proof */

const risks = ['read', 'write', 'exclusive']

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    sample: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    jobs: { type: 'string', default: String(cpus().length) },
  },
})
const seed = Number(options.seed)
const folder = fileURLToPath(new URL('../../node_modules/.cache/copytrade-tck-mutation', import.meta.url))
mkdirSync(folder, { recursive: true })

const { module, mutants } = await bundle(folder)
/** @type {{ apis: any[] }} */
const { apis } = await import(module)
const threads = createThreads({ jobs: Number(options.jobs), module, seed })
try {
  const chosen = sampled(mutants.filter(isChosen))
  const proofs = await currentProofs()
  const survivors = await survivorsOf(chosen, proofs)
  report(chosen, survivors)
} finally {
  await threads.close()
}

/** @param {Mutant} mutant */
function isChosen({ file }) {
  return options.only.length === 0 || picomatch(options.only)(file)
}

/** @param {Mutant[]} all */
function sampled(all) {
  const size = Number(options.sample ?? all.length)
  let state = seed >>> 0 || 1
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  return all
    .map((mutant) => ({ mutant, order: random() }))
    .sort((one, other) => one.order - other.order)
    .slice(0, size)
    .map(({ mutant }) => mutant)
    .sort((one, other) => one.id - other.id)
}

/** Runs every check without a defect, and with each defect that its requirement catches. */
async function currentProofs() {
  const ids = new Set(mutants.filter(isChosen).map(({ id }) => id))
  const tasks = apis.flatMap((api) =>
    api.checks.flatMap((/** @type {any} */ { id: check, requirement }) => [
      { api: api.name, requirement, check, defect: null },
      ...api.defects
        .filter((/** @type {any} */ { breaks }) => breaks.includes(requirement))
        .map((/** @type {any} */ { id: defect }) => ({ api: api.name, requirement, check, defect })),
    ]),
  )
  const first = await Promise.all(tasks.filter(({ defect }) => defect === null).map(proofOf))
  const isChosenCode = (/** @type {Proof} */ { reached }) => [...reached].some((id) => ids.has(id))
  const requirements = new Set(first.filter(isChosenCode).map(({ requirement }) => requirement))
  // Checks of other modules also count: a defect that they catch is not missed.
  const needed = tasks.filter(({ defect, requirement }) => defect !== null && requirements.has(requirement))
  const rest = await Promise.all(needed.map(proofOf))
  return [...first, ...rest]
}

/** @param {Omit<Proof, 'codes' | 'reached'>} task @returns {Promise<Proof>} */
async function proofOf(task) {
  const judged = await threads.run({ api: task.api, defect: task.defect, checks: [task.check], mutant: null })
  return { ...task, codes: codesOf(judged), reached: new Set(judged?.reached) }
}

/** The codes of failures. An error of the kit, for example from a mutated type guard, is none. @param {Judged | null} judged */
function codesOf(judged) {
  return (judged?.results ?? []).flatMap(({ status, code }) => (status === 'failed' && code !== null ? code : []))
}

/** @param {Mutant[]} chosen @param {Proof[]} proofs */
async function survivorsOf(chosen, proofs) {
  let done = 0
  const results = await Promise.all(
    chosen.map(async (mutant) => {
      const isKilled = (await failsWithoutDefect(mutant, proofs)) || (await missesDefect(mutant, proofs))
      done += 1
      if (done % 100 === 0) console.log(`${done} of ${chosen.length}`)
      return isKilled ? [] : [mutant]
    }),
  )
  return results.flat()
}

/** Whether a check fails for a simulator without a defect, with default or other answers. @param {Mutant} mutant @param {Proof[]} proofs */
async function failsWithoutDefect({ id, kind }, proofs) {
  // This mutant expects less.
  if (kind === 'no expectation' || kind === 'returns at once') return false
  for (const { api, check } of proofs.filter(({ defect, reached }) => defect === null && reached.has(id))) {
    for (const answers of profilesOf(api)) {
      const judged = await threads.run({ api, defect: null, checks: [check], mutant: id, answers })
      const isAlarm = (/** @type {string} */ status) => !['passed', 'not-applicable'].includes(status)
      if (judged === null || judged.results.some(({ status }) => isAlarm(status))) return true
    }
  }
  return false
}

/**
 * The default answers, and for each answer position the profile in which every question has the answer at that
 * position.
 * @param {string} name
 */
function profilesOf(name) {
  const { questions } = apis.find((api) => api.name === name)
  const profile = (/** @type {number} */ place) =>
    Object.fromEntries(
      questions.map((/** @type {any} */ { id, answers }) => [
        id,
        Object.keys(answers).at(place) ?? Object.keys(answers)[0],
      ]),
    )
  return [{}, ...[0, 1, 2, 3].map(profile)]
}

/** Whether a requirement no longer catches a defect in some run, or only with other codes. @param {Mutant} mutant @param {Proof[]} proofs */
async function missesDefect({ id }, proofs) {
  const caught = proofs.filter(({ defect, codes }) => defect !== null && codes.length > 0)
  for (const together of [...grouped(caught).values()].flatMap(inRunScopes)) {
    // Another check of the requirement, without the mutated code, still catches it.
    if (!together.every(({ reached }) => reached.has(id))) continue
    const [{ api, defect }] = together
    const judged = await threads.run({ api, defect, checks: together.map(({ check }) => check), mutant: id })
    const usual = together.flatMap(({ codes }) => codes)
    if (judged !== null && !codesOf(judged).some((code) => usual.includes(code))) return true
  }
  return false
}

/** The checks among these that the usual runs of users include, each selection once. @param {Proof[]} together */
function inRunScopes(together) {
  const [{ api: name }] = together
  const { checks, runScopes } = apis.find((api) => api.name === name)
  const byIds = new Map([[idsOf(together), together]])
  for (const { risk, capabilities } of runScopes) {
    const isInScope = (/** @type {Proof} */ { check }) => {
      const { risk: needed, needs = [] } = checks.find((/** @type {any} */ { id }) => id === check)
      const isAllowed = risks.indexOf(needed) <= risks.indexOf(risk)
      return isAllowed && needs.every((/** @type {string} */ need) => capabilities.includes(need))
    }
    const selected = together.filter(isInScope)
    if (selected.length > 0) byIds.set(idsOf(selected), selected)
  }
  return [...byIds.values()]
}

/** @param {Proof[]} proofs */
function idsOf(proofs) {
  return proofs.map(({ check }) => check).join(' ')
}

/** Grouped by requirement and defect. @param {Proof[]} proofs */
function grouped(proofs) {
  /** @type {Map<string, Proof[]>} */
  const groups = new Map()
  for (const proof of proofs) {
    const key = `${proof.requirement} ${proof.defect}`
    groups.set(key, [...(groups.get(key) ?? []), proof])
  }
  return groups
}

/** @param {Mutant[]} chosen @param {Mutant[]} survivors */
function report(chosen, survivors) {
  /** @type {{ file: string, kind: string, text: string, why: string }[]} */
  const explained = JSON.parse(readFileSync(new URL('./explained.json', import.meta.url), 'utf8'))
  const isIn =
    (/** @type {{ file: string, kind: string, text: string }[]} */ list) =>
    /** @param {{ file: string, kind: string, text: string }} mutant */
    ({ file, kind, text }) =>
      list.some((one) => one.file === file && one.kind === kind && one.text === text)
  const unexplained = survivors.filter((mutant) => !isIn(explained)(mutant))
  if (chosen.length === mutants.length) {
    for (const { file, kind, text } of explained.filter((one) => !isIn(survivors)(one))) {
      console.log(`killed, but explained  ${file}  ${kind}: ${text}`)
    }
  }
  for (const { file, line, kind, text } of unexplained) console.log(`survived  ${file}:${line}  ${kind}: ${text}`)
  const killed = chosen.length - survivors.length
  const share = ((100 * killed) / chosen.length).toFixed(1)
  const excused = survivors.length - unexplained.length
  console.log(`${killed} of ${chosen.length} mutants killed (${share} %), ${excused} survivors explained, seed ${seed}`)
  if (unexplained.length > 0) process.exitCode = 1
}
