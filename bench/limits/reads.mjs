// reads.mjs <url> <key>: reads a list three times and parses it, over one persistent connection.
const [, , url, key] = process.argv
for (let read = 0; read < 3; read += 1) {
  await (await fetch(`${url}/api/rules`, { headers: { 'x-api-key': key } })).json()
}
