import { answerLabel, differs, plural } from '../phrases.ts'
import type { Report, ReportedObservation } from '../report.ts'
import { Exchanges } from './exchanges.tsx'
import { LazyDetails } from './lazy-details.tsx'
import { Section } from './section.tsx'

export function Questions({ report: { observations } }: { readonly report: Report }) {
  if (observations.length === 0) return null
  const differing = observations.filter(differs)
  const rest = observations.filter((observation) => !differs(observation))
  const note = `The specification is silent here, so no answer is wrong. ${plural(differing.length, 'answer differs', 'answers differ')} from the default of the simulator.`
  return (
    <Section id="questions" title="Open questions" count={observations.length} note={note}>
      {[...differing, ...rest].map((observation) => (
        <Question key={observation.question} observation={observation} />
      ))}
    </Section>
  )
}

function Question({ observation }: { readonly observation: ReportedObservation }) {
  const { question, check, clause, text, message, answer } = observation
  const isOther = differs(observation)
  const summary = (
    <>
      <span class={`status ${isOther ? 'differs' : ''}`}>
        <span aria-hidden="true">{isOther ? '≠' : '='}</span>{' '}
        {isOther ? 'differs' : answer === null ? 'not observed' : 'default'}
      </span>
      <span class="headline">
        {text}
        <small>
          answer <b>{answerLabel(observation)}</b>, default {observation.default}
        </small>
      </span>
    </>
  )
  return (
    <LazyDetails class="question" summary={summary}>
      {() => (
        <div class="inside">
          {message !== null && <p>{message}</p>}
          <p class="note">
            <code>{question}</code> clause {clause}, {check}
          </p>
          <Exchanges {...observation} />
        </div>
      )}
    </LazyDetails>
  )
}
