export { type Chosen, judge } from '../cli/selftest/judge.ts'
