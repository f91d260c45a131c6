import { driftLine, gateLine, termsLabel } from '../phrases.ts'
import type { DriftRecord, GateRecord, Report } from '../report.ts'
import { Section } from './section.tsx'

/** The comparison with a baseline, and with a profile. */
export function Deviations({ report: { gate, drift, scope } }: { readonly report: Report }) {
  return (
    <>
      {gate && <Baseline gate={gate} />}
      {drift && <Profile drift={drift} strict={scope.strict} />}
    </>
  )
}

function Baseline({ gate }: { readonly gate: GateRecord }) {
  return (
    <Section
      id="baseline"
      title="Deviations from the baseline"
      count={gate.findings.length}
      note={`${gateLine(gate)}.`}
    >
      <ul>
        {gate.findings.map(({ kind, check, message }) => (
          <li class="harmed" key={check}>
            <b>{kind}</b> <a href={`#${check}`}>{check}</a> {message}
          </li>
        ))}
        {gate.excused.map((known) => (
          <li key={known.check}>
            known <a href={`#${known.check}`}>{known.check}</a> {known.reason} <small>{termsLabel(known)}</small>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Profile({ drift, strict }: { readonly drift: DriftRecord; readonly strict: boolean }) {
  const note = `${driftLine(drift, strict)}.`
  return (
    <Section id="profile" title="Drift from the profile" count={drift.findings.length} note={note}>
      <ul>
        {drift.findings.map(({ question, text, expected, answer, message }) => (
          <li key={question}>
            <code>{question}</code> {text}{' '}
            <small>
              profile <b>{expected}</b>, observed <b>{answer ?? 'none of the known answers'}</b> {message}
            </small>
          </li>
        ))}
      </ul>
    </Section>
  )
}
