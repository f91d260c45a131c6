import { showNotice } from './element.js'

const storageName = 'copytrade-tck-control-token'
const retryMs = 1_000

/** The token from the URL fragment, which is then removed from the address bar, or the one stored for this tab. */
export function findToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get('token')
  if (given !== null) {
    keepToken(given)
    history.replaceState(null, '', location.pathname)
  }
  return sessionStorage.getItem(storageName)
}

export function keepToken(token) {
  sessionStorage.setItem(storageName, token)
}

/** Sends a request to the control server and shows errors on the page. */
export async function send(method, path, body) {
  const answer = await fetch(path, {
    method,
    headers: { ...authorization(), ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => null)
  if (answer === null) showNotice('The simulator does not respond.', true)
  else if (!answer.ok) {
    const { error, hint } = await answer.json()
    showNotice(`${error} ${hint}`, true)
  }
  return answer?.ok ?? false
}

/** Reads the events until the token is rejected, with fetch: an EventSource cannot send the token in a header. */
export async function readStream({ onOpen, onEvent, onLost, onRefused }) {
  for (;;) {
    const answer = await fetch('events', { headers: authorization() }).catch(() => null)
    if (answer?.status === 401) return onRefused()
    if (answer?.ok) {
      onOpen()
      await readEvents(answer.body, onEvent).catch(() => undefined)
    }
    onLost()
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}

async function readEvents(body, onEvent) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (rest + value).split('\n\n')
    rest = blocks.pop()
    for (const block of blocks) {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/s.exec(block) ?? []
      if (name !== undefined) onEvent(name, JSON.parse(data))
    }
  }
}

function authorization() {
  return { Authorization: `Bearer ${sessionStorage.getItem(storageName) ?? ''}` }
}
