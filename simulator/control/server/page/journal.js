import { byId, element, showNotice } from './element.js'

const most = 200
let address = 'http://127.0.0.1:8443'
let newest = 0

export function setAddress(url) {
  address = url ?? address
}

export function clearJournal() {
  byId('entries').replaceChildren()
  byId('mistakes').hidden = true
  byId('mistake-list').replaceChildren()
  byId('no-entries').hidden = false
  byId('journal-count').textContent = ''
  newest = 0
}

export function showEntry(entry) {
  // Ids restart after a reset, and entries are sent again after a reconnect.
  if (entry.id <= newest) clearJournal()
  newest = entry.id
  const list = byId('entries')
  const summary = element(
    'summary',
    {},
    element('small', {}, `#${entry.id}`),
    element('code', {}, entry.method || '?'),
    element('code', {}, entry.target || 'invalid HTTP'),
    status(entry),
    element('small', {}, entry.decision),
  )
  const details = element('details', {}, summary)
  details.addEventListener('toggle', () => details.append(inside(entry)), { once: true })
  list.prepend(element('li', { 'data-entry': String(entry.id) }, details))
  while (list.children.length > most) list.lastElementChild.remove()
  byId('no-entries').hidden = true
  byId('journal-count').textContent = `${entry.id}`
}

export function showMistake({ entry, what, remedy }) {
  const sentence = `${what.charAt(0).toUpperCase()}${what.slice(1)}. `
  const list = byId('mistake-list')
  const text = element('p', {}, sentence, element('small', {}, remedy))
  list.prepend(element('li', {}, element('small', {}, `#${entry}`), text))
  while (list.children.length > most) list.lastElementChild.remove()
  byId('mistakes').hidden = false
}

function status({ status }) {
  const kind = status === null || status >= 500 ? 'broken' : status >= 400 ? 'refused' : 'served'
  return element('span', { class: `status ${kind}` }, status === null ? 'no response' : String(status))
}

function inside(entry) {
  const command = curl(entry)
  const facts = `${entry.at}, ${entry.durationMs} ms, ${entry.rulesBefore} → ${entry.rulesAfter} rules`
  const copy = element('button', { type: 'button', click: () => copyText(command) }, 'Copy as curl')
  const parts = [
    element('p', { class: 'note' }, facts),
    entry.because.length > 0 && element('p', {}, 'Based on ', element('code', {}, entry.because.join(', '))),
    entry.headers.length > 0 && element('pre', {}, entry.headers.map((pair) => pair.join(': ')).join('\n')),
    entry.body && element('pre', {}, entry.body),
    entry.answer && element('pre', {}, entry.answer),
    element('pre', { class: 'curl', tabindex: '0', 'aria-label': 'The request as a curl command' }, command),
    copy,
  ]
  return element('div', { class: 'inside' }, ...parts.filter(Boolean))
}

/** The request as a curl command, with the key from the environment. */
export function curl({ method, target, headers, body }) {
  const kept = headers.filter(([name]) => name.toLowerCase() === 'content-type')
  const parts = [
    'curl',
    ...(method === 'HEAD' ? ['--head'] : ['-X', quote(method || 'GET')]),
    '-H "X-API-Key: $TCK_API_KEY"',
    ...kept.map((pair) => `-H ${quote(pair.join(': '))}`),
    ...(body ? [`--data-raw ${quote(body)}`] : []),
    quote(address + target),
  ]
  return parts.join(' ')
}

function quote(text) {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text)
    showNotice('Copied. Set TCK_API_KEY in your shell.')
  } catch {
    showNotice('The browser does not allow copying. Select the command instead.', true)
  }
}
