import { byId, element } from './element.js'

const move = { duration: 600, easing: 'ease' }
let shown = null

/** Shows the rules, and the changes since the last list. */
export function showRules(rules, capacity) {
  const last = shown ?? rules
  const same = rules.length === last.length && rules.every(({ id }, place) => id === last[place].id)
  byId('rules-count').textContent = `${rules.length} of ${capacity}`
  byId('no-rules').hidden = rules.length > 0
  if (same && shown !== null) return
  const tops = places()
  const before = new Map(last.map((rule) => [rule.id, rule]))
  const now = new Set(rules.map(({ id }) => id))
  const removed = last.filter(({ id }) => !now.has(id))
  const rows = rules.map((rule) => row(rule, before.get(rule.id)))
  // A removed rule stays visible at its old position until the next change.
  for (const rule of removed) rows.splice(Math.min(last.indexOf(rule), rows.length), 0, removedRow(rule))
  byId('rule-rows').replaceChildren(...rows)
  byId('shift').textContent = wordsFor(rules, before, removed)
  shown = rules
  slide(tops)
}

function row({ id, index, ...rule }, before) {
  const change = before === undefined ? 'added' : before.index === index ? '' : 'shifted'
  const mark = change === 'added' ? 'new' : change === 'shifted' ? `was ${before.index}` : ''
  const place = element('th', { scope: 'row' }, String(index))
  if (mark !== '') place.append(element('span', { class: 'was' }, mark))
  return element('tr', { class: change, 'data-id': id }, place, ...cells(rule))
}

function removedRow({ index, ...rule }) {
  const place = element('th', { scope: 'row' }, element('span', { class: 'was' }, `${index} removed`))
  return element('tr', { class: 'removed' }, place, ...cells(rule))
}

function cells({ master, follower, mode, value, direction }) {
  return [master, follower, mode, value, direction].map((text) => element('td', {}, text))
}

function wordsFor(rules, before, removed) {
  const added = rules.filter(({ id }) => !before.has(id))
  const shifted = rules.filter(({ id, index }) => before.has(id) && before.get(id).index !== index)
  const parts = [
    removed.length > 0 && `${count(removed)} removed`,
    added.length > 0 && `${count(added)} added`,
    shifted.length > 0 && `${count(shifted)} shifted to another index`,
  ].filter(Boolean)
  return parts.length === 0 ? '' : `${parts.join(', ')}.`
}

function count({ length }) {
  return length === 1 ? '1 rule' : `${length} rules`
}

function places() {
  return new Map([...byId('rule-rows').children].map((one) => [one.dataset.id, one.getBoundingClientRect().top]))
}

function slide(tops) {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  for (const one of byId('rule-rows').children) {
    const distancePx = (tops.get(one.dataset.id) ?? Number.NaN) - one.getBoundingClientRect().top
    if (!distancePx) continue
    one.animate([{ transform: `translateY(${distancePx}px)` }, { transform: 'none' }], move)
  }
}
