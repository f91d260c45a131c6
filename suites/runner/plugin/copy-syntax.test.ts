import { expect, test } from 'vitest'
import { judge } from '../judge.ts'
import { check, own } from '../judged.test-data.ts'

const copies = { ...check(async () => undefined), copies: true } as const

test('a check that depends on the syntax of Copy_N is judged if rules load from it', async () => {
  const { context } = await own()
  expect(await judge(copies, context)).toMatchObject({ status: 'passed' })
})

test('the same check is blocked, and ordinary requests fail, if the list that shows the syntax cannot be read', async () => {
  const { context } = await own({
    override: ({ listBody }) => ({
      listBody: (rules) => (rules.length === 1 ? { rules: rules[0] ?? null, total: 1 } : listBody(rules)),
    }),
  })
  expect(await judge(copies, context)).toMatchObject({
    status: 'blocked',
    message: expect.stringContaining('`rules` is not an array'),
  })
  expect(context.seen().blockingFailure).toMatchObject({ code: 'list.rules-not-array' })
})
