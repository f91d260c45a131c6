import { expect, test } from 'vitest'
import { UsageError } from '../command-error.ts'
import { type Environment, proxyFor } from './proxy.ts'

const proxy = 'http://proxy.example:3128/'
const http = 'http://plugin.example:8443'
const https = 'https://plugin.example'

test.for<[Environment, string, string | null]>([
  [{}, http, null],
  [{ HTTP_PROXY: proxy }, http, proxy],
  [{ HTTP_PROXY: proxy }, https, null],
  [{ HTTPS_PROXY: proxy }, https, proxy],
  [{ HTTPS_PROXY: proxy }, http, null],
  [{ ALL_PROXY: proxy }, http, proxy],
  [{ http_proxy: proxy, HTTP_PROXY: 'http://other:1' }, http, proxy],
  [{ HTTP_PROXY: '', ALL_PROXY: '' }, http, null],
  [{ HTTP_PROXY: 'proxy.example:3128' }, http, proxy],
  [{ HTTP_PROXY: proxy }, 'http://127.0.0.1:8443', proxy],
  [{ HTTP_PROXY: proxy }, 'http://localhost:8443', proxy],
])('%o sends %s through %s', ([env, url, expected]) => {
  expect(proxyFor(url, env)).toBe(expected)
})

test.for<[string, string, boolean]>([
  ['*', http, true],
  ['plugin.example', http, true],
  ['PLUGIN.example', http, true],
  ['example', http, true],
  ['.example', http, true],
  ['*.example', http, true],
  ['other.example, plugin.example', http, true],
  ['other.example plugin.example.', http, true],
  ['gin.example', http, false],
  ['plugin.example:8443', http, true],
  ['plugin.example:8444', http, false],
  ['plugin.example:80', 'http://plugin.example', true],
  ['', http, false],
  [',', http, false],
  ['127.0.0.1', 'http://127.0.0.1:1', true],
  ['127.0.0.1:2', 'http://127.0.0.1:1', false],
  ['127.0.0.0/8', 'http://127.9.9.9', true],
  ['10.0.0.0/8', 'http://11.0.0.1', false],
  ['10.0.0.0/99', 'http://10.0.0.1', false],
  ['0.0.1', 'http://127.0.0.1', false],
  ['::1', 'http://[::1]:1', true],
  ['[::1]:1', 'http://[::1]:1', true],
  ['fd00::/8', 'http://[fd12::1]', true],
  ['fd00::/8', 'http://127.0.0.1', false],
])('with NO_PROXY=%s, whether %s is reached directly is %s', ([list, url, expected]) => {
  expect(proxyFor(url, { HTTP_PROXY: proxy, NO_PROXY: list }) === null).toBe(expected)
  expect(proxyFor(url, { HTTP_PROXY: proxy, no_proxy: list }) === null).toBe(expected)
})

test.for(['socks5://user:secret@proxy:1', 'http://user:secret@', 'http://user:%zz-secret@proxy'])(
  'the proxy %s is rejected, and the message does not repeat it',
  (value) => {
    const find = () => proxyFor(http, { HTTP_PROXY: value })
    expect(find).toThrow(UsageError)
    expect(find).not.toThrow(/secret/)
    expect(proxyFor(http, { HTTP_PROXY: value, NO_PROXY: 'plugin.example' })).toBe(null)
  },
)
