import { type Answer, NoAnswer } from '../../suites/http/answer.ts'
import type { DoctorContext, Finding } from './examination.ts'
import { speaksTls } from './tls.ts'

/** Whether what listens speaks HTTP, without TLS. */
export async function examineHttp(context: DoctorContext): Promise<Finding> {
  try {
    const answer = await context.status()
    if (mentionsTls(answer) && (await speaksTls(context))) return tlsFinding
    return { state: 'ok', finding: `answers HTTP in ${Math.ceil(answer.exchange.durationMs)} ms` }
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    return (await speaksTls(context)) ? tlsFinding : noHttp(error, context)
  }
}

const tlsFinding: Finding = {
  state: 'problem',
  finding: 'it speaks TLS (https), not plain HTTP',
  remedy:
    'The plugin API is plain HTTP: give its own address and API_Port, not that of a proxy or of the web terminal.',
}

/** Some TLS servers answer plain HTTP with a 400 that says so. */
function mentionsTls({ status, text }: Answer): boolean {
  return status === 400 && /https|ssl|tls/i.test(text)
}

function noHttp({ cause }: NoAnswer, { timeoutMs }: DoctorContext): Finding {
  const { code = '' } = cause as NodeJS.ErrnoException
  if (code.startsWith('HPE_')) {
    return { state: 'problem', finding: 'what answers is no HTTP', remedy: 'Another service has this port: check it.' }
  }
  if (code === 'ECONNRESET') {
    return {
      state: 'problem',
      finding: 'the connection is closed without an answer',
      remedy: 'Check that it is the port of the plugin, and that it lets this machine in.',
    }
  }
  return {
    state: 'problem',
    finding: `no HTTP answer within ${timeoutMs} ms`,
    remedy: 'Check that it is the port of the plugin; if it is only slow, allow more with --timeout <ms>.',
  }
}
