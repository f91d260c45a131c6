import { readdirSync, readFileSync } from 'node:fs'

/** The licence notices of the packages that contain these modules. Throws if a package has no licence. */
export function noticeOf(moduleIds) {
  const folders = new Set(moduleIds.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []))
  const notices = [...folders].map(noticeOfPackage).sort((one, other) => (one < other ? -1 : 1))
  return `This package contains code of the following packages.\n\n${notices.join('\n')}`
}

function noticeOfPackage(folder) {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  if (license === undefined && file === undefined) throw new Error(`${name} has no licence`)
  const text = file === undefined ? `Licence: ${license}` : readFileSync(`${folder}/${file}`, 'utf8').trim()
  return `${'-'.repeat(80)}\n${name} ${version}\n\n${text}\n`
}
