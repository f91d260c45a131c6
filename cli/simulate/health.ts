import { request } from 'node:http'
import { readParameters } from '../options/read-files.ts'

// The HEALTHCHECK of the container: exit code 0 if the plugin sends any response.
const { TCK_PARAMETERS, TCK_PORT } = process.env
const { API_Port } = TCK_PARAMETERS ? readParameters('TCK_PARAMETERS', TCK_PARAMETERS) : process.env
const port = Number(TCK_PORT || API_Port || 8443)

const probe = request({ host: '127.0.0.1', port, path: '/api/status', timeout: 2_000 }, (response) => {
  response.resume()
  process.exit(0)
})
probe.on('timeout', () => probe.destroy())
probe.on('error', () => process.exit(1))
probe.end()
