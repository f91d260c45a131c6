import { expect, test } from 'vitest'
import { type ScheduledTask, schedule } from './scheduler.ts'

/** Tasks that end on request, and a log of what runs. */
function createTasks() {
  const going = new Map<string, { readonly becomeAlone: () => Promise<void>; end(): void }>()
  const begun: string[] = []
  const task = (name: string, { sequence = null, alone = false }: Partial<ScheduledTask> = {}): ScheduledTask => ({
    sequence,
    alone,
    run: (becomeAlone) =>
      new Promise((end) => {
        begun.push(name)
        going.set(name, { becomeAlone, end })
      }),
  })
  const end = async (name: string) => {
    going.get(name)?.end()
    going.delete(name)
    await settled()
  }
  return {
    task,
    end,
    begun,
    going: () => [...going.keys()],
    becomeAlone: (name: string) => going.get(name)?.becomeAlone(),
  }
}

/** Resolves when pending callbacks have run. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  await new Promise((resolve) => setImmediate(resolve))
}

const never = () => false

test('with one job the tasks run in their order', async () => {
  const { task, end, going } = createTasks()
  const done = schedule([task('a', { sequence: 's' }), task('b'), task('c', { sequence: 's' })], 1, never)
  await settled()
  for (const name of ['a', 'b', 'c']) {
    expect(going()).toEqual([name])
    await end(name)
  }
  await done
})

test('tasks of one sequence run one after the other, others concurrently up to the number of jobs', async () => {
  const { task, end, going } = createTasks()
  const sequence = 's'
  const done = schedule([task('a', { sequence }), task('b', { sequence }), task('c'), task('d'), task('e')], 3, never)
  await settled()
  expect(going()).toEqual(['a', 'c', 'd'])
  await end('c')
  expect(going()).toEqual(['a', 'd', 'e'])
  await end('a')
  expect(going()).toEqual(['d', 'e', 'b'])
  for (const name of going()) await end(name)
  await done
})

test('a task that must run alone begins after all before it, and none begins until it has ended', async () => {
  const { task, end, going } = createTasks()
  const done = schedule([task('a'), task('b', { alone: true }), task('c')], 4, never)
  await settled()
  expect(going()).toEqual(['a'])
  await end('a')
  expect(going()).toEqual(['b'])
  await end('b')
  expect(going()).toEqual(['c'])
  await end('c')
  await done
})

test('tasks that ask to run alone wait for all others and for each other', async () => {
  const { task, end, going, becomeAlone } = createTasks()
  const done = schedule([task('a'), task('b'), task('c'), task('d')], 3, never)
  await settled()
  const alone: string[] = []
  for (const name of ['a', 'b']) void becomeAlone(name)?.then(() => alone.push(name))
  await settled()
  expect({ alone, going: going() }).toEqual({ alone: [], going: ['a', 'b', 'c'] })
  await end('c')
  expect({ alone, going: going() }).toEqual({ alone: ['a'], going: ['a', 'b'] })
  await end('a')
  expect({ alone, going: going() }).toEqual({ alone: ['a', 'b'], going: ['b'] })
  await end('b')
  expect(going()).toEqual(['d'])
  await end('d')
  await done
})

test('a task that is abandoned while it waits to run alone does not block others', async () => {
  const { task, end, going, becomeAlone } = createTasks()
  const done = schedule([task('a'), task('b'), task('c')], 2, never)
  await settled()
  void becomeAlone('a')
  await end('a')
  await end('b')
  expect(going()).toEqual(['c'])
  await end('c')
  await done
})

test('when the run ends no task begins, and running tasks are awaited', async () => {
  const { task, end, begun } = createTasks()
  let isEnded = false
  const done = schedule([task('a'), task('b'), task('c')], 2, () => isEnded)
  await settled()
  isEnded = true
  await end('a')
  await end('b')
  await done
  expect(begun).toEqual(['a', 'b'])
})

test('an error of a task rejects the whole', async () => {
  const failing: ScheduledTask = { sequence: null, alone: false, run: () => Promise.reject(new Error('no such check')) }
  await expect(schedule([failing], 2, never)).rejects.toThrow('no such check')
})
