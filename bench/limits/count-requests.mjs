// Loaded with `--import`: appends a byte to the file $REQUESTS for each request that a server in this process receives.
import { subscribe } from 'node:diagnostics_channel'
import { openSync, writeSync } from 'node:fs'

const file = openSync(process.env.REQUESTS, 'a')
subscribe('http.server.request.start', () => writeSync(file, '.'))
