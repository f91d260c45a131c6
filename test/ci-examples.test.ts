import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { runOptions } from '../cli/options/run-definitions.ts'

const page = readFileSync(new URL('../docs/ci.md', import.meta.url), 'utf8')

/** The first fenced block below a heading. */
function example(heading: string, language: string): string {
  const section = page.split(/^### /m).find((part) => part.startsWith(`${heading}\n`)) ?? ''
  return new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(section)?.[1] ?? ''
}

/** Every key of nested objects, with the path that leads to it. */
function paths(value: unknown, within = ''): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => [`${within}${key}`, ...paths(inner, `${within}${key}.`)])
}

test('the job for GitHub has the keys that a workflow has', () => {
  const workflow = parse(example('GitHub Actions', 'yaml'))
  expect(Object.keys(workflow)).toEqual(['name', 'on', 'permissions', 'jobs'])
  const { compatibility } = workflow.jobs
  expect(Object.keys(compatibility)).toEqual(['runs-on', 'timeout-minutes', 'steps'])
  for (const step of compatibility.steps) {
    expect(['name', 'if', 'uses', 'with', 'run', 'env']).toEqual(expect.arrayContaining(Object.keys(step)))
    expect('uses' in step).not.toBe('run' in step)
  }
})

test('the job for GitLab has the keys that a job has', () => {
  const { compatibility } = parse(example('GitLab CI', 'yaml'))
  expect(paths(compatibility)).toEqual([
    ...['image', 'stage', 'timeout', 'cache', 'cache.key', 'cache.key.files', 'cache.paths', 'script'],
    ...['artifacts', 'artifacts.when', 'artifacts.expire_in', 'artifacts.paths'],
    ...['artifacts.reports', 'artifacts.reports.junit'],
  ])
})

test.for([
  ['GitHub Actions', 'yaml'],
  ['GitLab CI', 'yaml'],
  ['Jenkins', 'groovy'],
] as const)('the job for %s runs the kit with options that it has, and keeps the report', ([heading, language]) => {
  const text = example(heading, language)
  const line = /npx copytrade-tck run (.*?)'?$/m.exec(text)?.[1] ?? ''
  const known = runOptions().map(({ long }) => long)
  const used = line.match(/--[a-z-]+/g) ?? []
  expect(used).toContain('--baseline')
  expect(known).toEqual(expect.arrayContaining(used))
  expect(text).toMatch(/tck-report\//)
  expect(text).not.toContain('--api-key')
})
