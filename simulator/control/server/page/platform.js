import { byId, visible } from './element.js'

/** More keys would push the rules out of view. */
const maxKeys = 5

/** The platform that is served next to the plugin, if there is one. */
export function showPlatform(platform) {
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
