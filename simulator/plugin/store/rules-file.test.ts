import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { diskRulesFile, memoryRulesFile } from './rules-file.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rules-file-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe.each([
  { where: 'on disk', create: () => diskRulesFile(join(folder, 'made', 'when needed')) },
  { where: 'in memory', create: memoryRulesFile },
])('a rules file $where', ({ create }) => {
  test('does not exist before it is written or after it is removed', async () => {
    const file = create()
    expect([await file.exists(), await file.read()]).toEqual([false, undefined])
    await file.write(Buffer.from('rules'))
    expect([await file.exists(), Buffer.from((await file.read()) ?? []).toString()]).toEqual([true, 'rules'])
    await file.remove()
    expect([await file.exists(), await file.read()]).toEqual([false, undefined])
    await expect(file.remove()).resolves.toBeUndefined()
  })

  test('does not share its bytes with the caller that wrote or read them', async () => {
    const file = create()
    const bytes = Buffer.from('rules')
    await file.write(bytes)
    bytes.fill(0)
    ;(await file.read())?.fill(0)
    expect(Buffer.from((await file.read()) ?? []).toString()).toBe('rules')
  })

  test('can be appended to until something else writes or removes it', async () => {
    const file = create()
    await file.write(Buffer.from('rules'))
    const append = file.appender?.()
    expect(await append?.(Buffer.from(' and changes'))).toBe(true)
    expect(Buffer.from((await file.read()) ?? []).toString()).toBe('rules and changes')
    await file.write(Buffer.from('other rules and all'))
    expect(await append?.(Buffer.from('!'))).toBe(false)
    expect(Buffer.from((await file.read()) ?? []).toString()).toBe('other rules and all')
    const next = file.appender?.()
    await file.remove()
    expect([await next?.(Buffer.from('!')), await file.exists()]).toEqual([false, false])
  })

  test('holds the bytes that were written last, however many writes overlap', async () => {
    const file = create()
    const texts = Array.from({ length: 20 }, (_, number) => `${number}`.repeat(1000))
    await Promise.all(texts.map((text) => file.write(Buffer.from(text))))
    expect(Buffer.from((await file.read()) ?? []).toString()).toBe(texts.at(-1))
  })
})

test('a reader on disk sees the old bytes or the new ones, never a part', async () => {
  const file = diskRulesFile(folder)
  const texts = ['a'.repeat(100_000), 'b'.repeat(50_000)]
  await file.write(Buffer.from(texts[0] ?? ''))
  const writes = (async () => {
    for (let round = 0; round < 20; round++) await file.write(Buffer.from(texts[round % 2] ?? ''))
    return 'written' as const
  })()
  let seen = 0
  const path = join(folder, 'ServiceCopyTrade_rules.dat')
  while ((await Promise.race([writes, readFile(path, 'utf8')])) !== 'written') {
    expect(texts).toContain(await readFile(path, 'utf8'))
    seen++
  }
  expect(seen).toBeGreaterThan(0)
})

test('files that an earlier crash left behind are overwritten, and nothing remains of them', async () => {
  await writeFile(join(folder, 'ServiceCopyTrade_rules.dat.tmp'), 'half of a li')
  const file = diskRulesFile(folder)
  expect(await file.exists()).toBe(false)
  await file.write(Buffer.from('x'))
  expect(await readdir(folder)).toEqual(['ServiceCopyTrade_rules.dat'])
})

test('a file on disk that another program has changed is not appended to', async () => {
  const file = diskRulesFile(folder)
  await file.write(Buffer.from('rules'))
  const append = file.appender?.()
  await writeFile(join(folder, 'ServiceCopyTrade_rules.dat'), 'Rules')
  expect(await append?.(Buffer.from('!'))).toBe(false)
  expect(await readFile(join(folder, 'ServiceCopyTrade_rules.dat'), 'utf8')).toBe('Rules')
})
