import { expect, test } from 'vitest'
import { certificateProblem, failureReason } from './failure-reason.ts'

test('a server that demands a certificate of the client is named, with what a user can do', () => {
  const error = Object.assign(new Error('alert'), { code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' })
  expect(failureReason(error)).toBe('the certificate of the client is missing: the server demands one')
  expect(certificateProblem(error)?.remedy).toContain('a tunnel on this machine')
})
