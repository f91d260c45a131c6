import { expect, test } from 'vitest'
import { baseUrlOf } from './target.ts'

test.for([
  ['http://127.0.0.1:8443', 'http://127.0.0.1:8443'],
  ['http://127.0.0.1:8443/', 'http://127.0.0.1:8443'],
  ['http://127.0.0.1:8443/api', 'http://127.0.0.1:8443'],
  ['http://127.0.0.1:8443/api/', 'http://127.0.0.1:8443'],
  ['http://127.0.0.1:8443//api//', 'http://127.0.0.1:8443'],
  ['HTTP://Trade.Example:80/api', 'http://trade.example'],
  ['http://[::1]:8443/api', 'http://[::1]:8443'],
  ['http://host/plugin/one/api/', 'http://host/plugin/one'],
  ['http://host/my-api', 'http://host/my-api'],
  ['https://host/prefix/api/', 'https://host/prefix'],
  ['http://host/api/plugin', 'http://host/api/plugin'],
  ['http://host/api/api', 'http://host/api'],
  ['http://api', 'http://api'],
  ['https://api/api', 'https://api'],
])('%s is the base URL %s', ([text = '', url]) => {
  expect(baseUrlOf(text, '/api')).toBe(url)
})

test.for(['ftp://host', 'file:///tmp', 'localhost:8443'])('%s has a scheme that is not supported', (text) => {
  expect(() => baseUrlOf(text, '/api')).toThrow(/^the scheme \w+ is not supported: use http or https$/)
})

test.for(['http://host/?env=staging', 'http://host/api#rules'])('%s has a part that no request would carry', (text) => {
  expect(() => baseUrlOf(text, '/api')).toThrow('a query or fragment in the URL is not supported')
})

test.for(['', 'host', '127.0.0.1:8443', 'http://', 'http://host:99999'])('%j is not a URL', (text) => {
  expect(() => baseUrlOf(text, '/api')).toThrow(TypeError)
})
