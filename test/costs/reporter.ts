import type { Reporter, TestModule } from 'vitest/node'

interface Options {
  /** The usual processor time of each project's tests, in seconds, where the reference work takes `usualReferenceMs`. */
  readonly budgets?: Readonly<Record<string, number>>
  /** How many of the most expensive test files to list. */
  readonly list?: number
}

interface Cost {
  readonly project: string
  readonly file: string
  readonly seconds: number
}

/** In CI a project fails the run if it needs this many times its budget. */
const tolerance = 1.5

/** The processor time of the reference work on the machine on which the budgets were measured. */
const usualReferenceMs = 5.5

/**
 * Prints the processor time of the tests, which, unlike their duration, hardly depends on the load of the machine. It
 * depends on the machine, so a budget is compared with the reference work that the same run has done.
 * `--reporter=default --reporter=./test/costs/reporter.ts` lists the most expensive test files.
 */
// biome-ignore lint/style/noDefaultExport: Vitest loads a reporter by its default export.
export default class CostsReporter implements Reporter {
  readonly #budgets: Readonly<Record<string, number>>
  readonly #list: number

  constructor({ budgets = {}, list = 20 }: Options = {}) {
    this.#budgets = budgets
    this.#list = list
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const costs = modules.map(costOf)
    const lines = costs
      .toSorted((one, other) => other.seconds - one.seconds)
      .slice(0, this.#list)
      .map(({ project, file, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${project}  ${file}`)
    const totals = [...new Set(costs.map(({ project }) => project))].map((project) => ({
      project,
      seconds: sum(costs.filter((one) => one.project === project)),
    }))
    const vitest = { project: 'Vitest itself', seconds: ownSeconds() }
    const parts = [...totals, vitest].map(({ project, seconds }) => `${project} ${seconds.toFixed(0)} s`)
    const slowness = median(modules.flatMap((module) => module.meta().referenceMs ?? [])) / usualReferenceMs
    const machine = `this machine takes ${slowness.toFixed(2)} times as long as the one of the budgets`
    console.log([...lines, `Processor time: ${parts.join(', ')} (${machine})`].join('\n'))
    if (process.env.CI === undefined) return
    for (const { project, seconds } of totals) {
      const budget = (this.#budgets[project] ?? Number.POSITIVE_INFINITY) * slowness
      if (seconds <= tolerance * budget) continue
      console.error(
        `The tests of the project "${project}" need ${seconds.toFixed(0)} s of processor time, more than ${tolerance} times their budget of ${budget.toFixed(0)} s on this machine. ` +
          'Make them cheaper, or raise the budget in `vitest.config.ts`.',
      )
      process.exitCode = 1
    }
  }
}

function costOf(module: TestModule): Cost {
  const { processorMs = 0 } = module.meta()
  return { project: module.project.name, file: module.relativeModuleId, seconds: processorMs / 1_000 }
}

function ownSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000
}

function sum(costs: readonly Cost[]): number {
  return costs.reduce((total, { seconds }) => total + seconds, 0)
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? usualReferenceMs
}
