import { byId, element } from './element.js'

/** The answers that the simulator gives to the open questions. */
export function showProfile(profile) {
  const answers = Object.entries(profile)
  if (byId('profile-answers').children.length === answers.length) return
  byId('profile-answers').replaceChildren(
    ...answers.map(([question, answer]) => element('div', {}, element('dt', {}, question), element('dd', {}, answer))),
  )
}
