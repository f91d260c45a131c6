import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Selftest } from '../../cli/selftest/selftest.ts'
import { command, emptyFolder } from '../command.ts'

const brokenKit = fileURLToPath(new URL('../broken-modules/selftest.mjs', import.meta.url))

/** Runs the self-test of a kit with a mistake. */
async function selftestOf(
  mistake: string,
  out = emptyFolder(),
): Promise<{ code: unknown; output: string; document: Selftest | null }> {
  const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
    execFile(process.execPath, [brokenKit, mistake, out], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr }),
    )
  })
  const document = mistake === 'death' ? null : readMatrix(out)
  return { code, output, document }
}

function readMatrix(folder: string): Selftest {
  return JSON.parse(readFileSync(join(folder, 'selftest.json'), 'utf8')) as Selftest
}

describe('selftest', () => {
  test('passes if nothing is wrong with the kit', async () => {
    const { code, output } = await selftestOf('none')
    expect(output).toContain('Self-test passed: all laws hold.')
    expect(output).toMatch(/^broken\.defect: killed\n {2}caught by: broken\.requirement$/m)
    expect(code).toBe(0)
  })

  test.concurrent.for([
    ['survivor', 2, 'blind-spot', /The defect broken\.survivor survived: neither broken\.requirement/, {}],
    ['false-alarm', 1, 'false-alarm', /CT-broken .*plugin\.index\.base=1\./, { 'plugin.index.base': '1' }],
    ['unproven', 3, 'unproven', /broken\.requirement is unproven: no defect breaks it/, {}],
    [
      'blind-spot',
      2,
      'blind-spot',
      /broken\.defect is missed by broken\.requirement.*before-path=after/,
      { 'plugin.auth.before-path': 'after' },
    ],
    ['excuse', 2, 'stale-excuse', /broken\.defect has a mask for/, { 'plugin.index.base': '1' }],
  ] as const)(
    'fails for a mistake of the kind %s, and names it',
    async ([mistake, law, kind, sentence, answers], context) => {
      const { code, output, document } = await selftestOf(mistake, emptyFolder(context.onTestFinished))
      context.expect(output).toMatch(sentence)
      context.expect(document?.findings).toMatchObject([{ law, kind, answers }])
      context.expect(document?.passed).toBe(false)
      context.expect(code).toBe(1)
    },
  )

  test('reports that a thread has crashed, and why', async () => {
    const { code, output } = await selftestOf('death')
    expect(output).toMatch(/ProcessFailedError: A process ended with exit code 3\.\nIt was judging .*broken\.defect/)
    expect(code).not.toBe(0)
  })

  test('chooses by defect and by requirement, and writes the matrix', async () => {
    const folder = emptyFolder()
    const flags = ['--only', 'plugin.auth.bearer', '--only', 'delete.moves-last-into-gap', '--seed', '7', '--json']
    const { code, stdout } = await command(['selftest', ...flags, '--profiles', '2'], { cwd: folder })
    const document = readMatrix(join(folder, 'tck-selftest'))
    expect(JSON.parse(stdout)).toEqual(document)
    const matrix = document.apis[0]
    expect(matrix?.requirements.map(({ id }) => id)).toContain('plugin.auth.bearer')
    expect(matrix?.requirements.map(({ id }) => id)).toContain('plugin.delete.keeps-order')
    expect(matrix?.defects.find(({ id }) => id === 'delete.moves-last-into-gap')?.verdict).toBe('killed-by-all')
    expect(document.seed).toBe(7)
    expect(code).toBe(0)
  })

  test('rejects a glob that matches nothing', async () => {
    const { code, stderr } = await command(['selftest', '--only', 'nothing.*'])
    expect(stderr).toContain('`--only` matches no defect')
    expect(code).toBe(2)
  })
})
