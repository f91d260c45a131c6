import { findToken, keepToken, readStream, send } from './connection.js'
import { byId, element, showNotice, visible } from './element.js'
import { makeFaultForm, makeSwitches, showFaults } from './faults.js'
import { clearJournal, setAddress, showEntry, showMistake } from './journal.js'
import { showRules } from './rules.js'

const actions = [
  ['Reset', 'reset', 'The plugin was reset to its initial state.'],
  ['Restart', 'restart', 'The plugin was restarted.'],
  ['Crash', 'crash', 'The plugin has crashed. Use Restart to start it again.'],
]

function makeActions() {
  const buttons = actions.map(([label, path, done]) => {
    const click = async () => {
      if (!(await send('POST', path, {}))) return
      if (path === 'reset') clearJournal()
      showNotice(done)
    }
    return element('button', { type: 'button', click }, label)
  })
  const license = element('button', { type: 'button', id: 'license' }, 'License')
  license.addEventListener('click', () => send('PUT', 'license', { active: license.dataset.active !== 'true' }))
  byId('actions').append(...buttons, license)
}

function showState({ running, url, rules, capacity, licenseActive, faults, profile, platform }) {
  byId('banner').className = `banner ${running ? 'running' : 'stopped'}`
  byId('life').textContent = running ? 'Running' : 'Stopped'
  byId('address').textContent = url ?? 'No port is open.'
  byId('license').dataset.active = String(licenseActive)
  byId('license').textContent = licenseActive ? 'Deactivate license' : 'Activate license'
  setAddress(url)
  showRules(rules, capacity)
  showFaults(faults)
  showProfile(profile)
  showPlatform(platform)
}

function showProfile(profile) {
  const answers = Object.entries(profile)
  if (byId('profile-answers').children.length === answers.length) return
  byId('profile-answers').replaceChildren(
    ...answers.map(([question, answer]) => element('div', {}, element('dt', {}, question), element('dd', {}, answer))),
  )
}

/** More keys would push the rules out of view. */
const maxKeys = 5

function showPlatform(platform) {
  byId('platform').hidden = platform === null
  byId('platform').textContent = platform === null ? '' : visible(words(platform))
}

function words({ url, tradingAccounts, keys }) {
  if (url === null) return 'Platform API: no port is open.'
  const accounts = tradingAccounts === 1 ? '1 trading account' : `${tradingAccounts} trading accounts`
  return `Platform API: ${url}, ${accounts}, ${keySummary(keys)}`
}

function keySummary(keys) {
  if (keys.length === 0) return 'no keys'
  const newest = keys.slice(-maxKeys).map(named).join(', ')
  const older = keys.length - maxKeys
  return `keys: ${newest}${older > 0 ? ` and ${older} older` : ''}`
}

function named({ id, name, expiresAt, revokedAt }) {
  const state = revokedAt !== null ? ' (revoked)' : expiresAt !== null ? ` (until ${expiresAt})` : ''
  return (name || id) + state
}

function connect() {
  byId('token-form').hidden = true
  void readStream({
    onOpen: () => {
      byId('main').hidden = false
      clearJournal()
      showNotice('')
    },
    onEvent: (name, value) => ({ state: showState, entry: showEntry, mistake: showMistake })[name](value),
    onLost: () => {
      byId('banner').className = 'banner'
      byId('life').textContent = 'Not connected'
    },
    onRefused: () => {
      showNotice('The token is wrong.', true)
      askForToken()
    },
  })
}

function askForToken() {
  byId('main').hidden = true
  byId('token-form').hidden = false
  byId('token').focus()
}

makeSwitches()
makeFaultForm()
makeActions()
byId('token-form').addEventListener('submit', (event) => {
  event.preventDefault()
  keepToken(byId('token').value)
  connect()
})
if (findToken() === null) askForToken()
else connect()
