import { Option } from 'commander'

/** For every command that reaches a target. */
export function caOption(): Option {
  return new Option('--ca <file>', 'certificates (PEM) of the authorities to trust for https')
}

/** For every command that reaches a target. */
export function insecureOption(): Option {
  return new Option('--insecure', 'https with any certificate: for tests alone').default(false)
}
