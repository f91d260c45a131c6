/** A small client of the copy-trade plugin. */
export function createClient(baseUrl, apiKey) {
  async function ask(method, path, body) {
    const headers = { 'X-API-Key': apiKey, ...(body && { 'Content-Type': 'application/json' }) }
    const response = await fetch(baseUrl + path, { method, headers, body: body && JSON.stringify(body) })
    const answer = await response.json()
    if (!response.ok) throw new Error(`${response.status}: ${answer.error}`)
    return answer
  }

  const list = async () => (await ask('GET', '/api/rules')).rules

  return {
    list,
    add: (rule) => ask('POST', '/api/rules', rule),
    /** Every removal shifts the indices behind it, so the list is read right before. */
    async remove(master, follower) {
      const rule = (await list()).find((one) => one.master === master && one.follower === follower)
      if (rule === undefined) return false
      await ask('DELETE', `/api/rules/${rule.index}`)
      return true
    },
  }
}
