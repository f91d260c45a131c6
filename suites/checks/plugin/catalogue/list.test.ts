import { expect, test } from 'vitest'
import { judge } from '../../../runner/judge.ts'
import { foreign } from '../../../runner/judged.test-data.ts'
import { pluginObservations } from '../all.ts'

function observation(id: string) {
  const found = pluginObservations.find((one) => one.id === id)
  if (found === undefined) throw new Error(`there is no observation ${id}`)
  return found
}

test('three added rules show where new ones go if the list has no room for more', async () => {
  const { context } = await foreign({ capacity: 5 })
  expect(await judge(observation('CQ-402'), context)).toMatchObject({ status: 'passed', answer: 'end' })
})

test.for(['CQ-403', 'CQ-404'])('a closed connection does not answer %s', async (id) => {
  let additions = 0
  const { context } = await foreign({}, ({ method, socket }) => {
    if (method === 'POST') additions += 1
    if (method !== 'POST' || additions % 2 === 1) return false
    socket.destroy()
    return true
  })
  expect(await judge(observation(id), context)).toMatchObject({ status: 'passed', answer: null })
})
