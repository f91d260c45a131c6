import { send } from './connection.js'
import { byId, element, showNotice } from './element.js'

const change = { pathPattern: '^/api/rules' }
const addition = { ...change, method: 'POST' }

/** The faults with a switch on the page: id, label and fault. */
const switches = [
  ['page-500', 'Respond with 500', { effect: { kind: 'answer', status: 500 } }],
  ['page-503', 'Respond with 503', { effect: { kind: 'answer', status: 503 } }],
  ['page-delay', 'Delay by 2 s', { effect: { kind: 'delay', ms: 2000 } }],
  ['page-slow', 'Respond byte by byte', { effect: { kind: 'slow-body', msPerByte: 20 } }],
  ['page-hang', 'Never respond', { effect: { kind: 'hang' } }],
  ['page-reset', 'Reset the connection', { effect: { kind: 'reset' } }],
  ['page-lose', 'Execute a POST, lose the response', { when: addition, effect: { kind: 'lose-answer' } }],
  ['page-truncate', 'Truncate the body', { effect: { kind: 'truncate' } }],
  ['page-garbage', 'Send invalid HTTP', { effect: { kind: 'garbage' } }],
  ['page-disk', 'Disk full', { when: change, effect: { kind: 'disk-full' } }],
  ['page-crash', 'Crash while saving', { when: change, effect: { kind: 'crash', at: 'before-rename' } }],
]

/** Creates the switches once, so that the focused element is never replaced. */
export function makeSwitches() {
  const items = switches.map(([id, label, fault]) => {
    const attributes = { type: 'button', role: 'switch', 'aria-checked': 'false', id, click: () => toggle(id, fault) }
    const button = element('button', attributes, element('span', {}, label), element('small', {}))
    return element('li', {}, button)
  })
  byId('fault-switches').replaceChildren(...items)
}

/** Enables the form, which can add any fault. */
export function makeFaultForm() {
  byId('fault-form').addEventListener('submit', async (event) => {
    event.preventDefault()
    let fault
    try {
      fault = JSON.parse(byId('fault').value)
    } catch {
      return showNotice('The fault is not valid JSON.', true)
    }
    if (await send('POST', 'faults', fault)) showNotice('The fault was added.')
  })
}

async function toggle(id, fault) {
  if (byId(id).getAttribute('aria-checked') === 'true') return send('DELETE', `faults/${id}`)
  const once = byId('once').checked ? { times: 1 } : {}
  return send('POST', 'faults', { id, ...fault, ...once })
}

export function showFaults(faults) {
  for (const [id] of switches) {
    const on = faults.find((fault) => fault.id === id)
    byId(id).setAttribute('aria-checked', String(on !== undefined))
    byId(id).lastElementChild.textContent = on === undefined ? '' : playedText(on)
  }
  const others = faults.filter(({ id }) => !switches.some(([known]) => known === id))
  byId('other-faults-title').hidden = others.length === 0
  byId('other-faults').replaceChildren(...others.map(other))
}

function playedText({ played, times }) {
  return `${played}${times === undefined ? '' : ` of ${times}`} played`
}

function other(fault) {
  const remove = () => send('DELETE', `faults/${encodeURIComponent(fault.id)}`)
  const text = element('span', {}, `${fault.id}: ${fault.effect.kind} `, element('small', {}, playedText(fault)))
  const button = element('button', { type: 'button', click: remove, 'aria-label': `Remove ${fault.id}` }, 'Remove')
  return element('li', {}, text, button)
}
