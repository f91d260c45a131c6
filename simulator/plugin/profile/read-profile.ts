import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { type PluginQuestionId, pluginQuestions } from '../../../spec/plugin/questions.ts'
import { InvalidDocumentError } from '../../documents/parse-document.ts'
import { readDocument } from '../../documents/read-document.ts'
import { InvalidProfileError, notKnown, type ProfileDocument, profileSchema } from './profile-document.ts'
import { defaultWording } from './wording.ts'

/**
 * Reads a profile from a YAML file, as `copytrade-tck probe` writes it.
 * @throws InvalidProfileError, which names every wrong line
 */
export function readProfile(file: string): ProfileDocument {
  return parseProfile(readFile(file), file)
}

/**
 * Reads a profile from YAML. `name` stands for the file in messages.
 * @throws InvalidProfileError, which names every wrong line
 */
export function parseProfile(text: string, name = 'profile'): ProfileDocument {
  const { answers, capacity, name: pluginName, version, licenseActive, ...wording } = readPlugin(text, name)
  const entries = Object.entries(answers)
  const identity = {
    ...(pluginName !== undefined && { name: pluginName }),
    ...(version !== undefined && { version }),
    ...(licenseActive !== undefined && { licenseActive }),
  }
  return {
    options: {
      ...wording,
      ...(capacity !== undefined && capacity !== notKnown && { capacity: Number(capacity) }),
      ...(Object.keys(identity).length > 0 && { plugin: identity }),
      profile: Object.fromEntries(entries.filter(([, answer]) => answer !== notKnown)),
    },
    notKnown: entries.filter(([, answer]) => answer === notKnown).map(([id]) => id as PluginQuestionId),
  }
}

function readPlugin(text: string, name: string) {
  try {
    return readDocument(documentSchema, { text, name, numbersAsWritten: true }).plugin
  } catch (error) {
    throw error instanceof InvalidDocumentError ? new InvalidProfileError(error.problems, { cause: error }) : error
  }
}

/** YAML reads `yes` as a string and `true` as a boolean. Both may be an answer or a name. */
const text = z.preprocess((value) => (typeof value === 'boolean' ? String(value) : value), z.string())

/** A mapping with only optional members. A member without a value is an empty mapping. */
function mapping<Member extends z.ZodType>(members: Readonly<Record<string, Member>>) {
  return orEmpty(z.strictObject(members).partial())
}

function orEmpty<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (value === null ? {} : value), schema)
}

const textsFor = (names: object) => mapping(Object.fromEntries(Object.keys(names).map((name) => [name, text])))

const answerOf = (answers: object) => text.pipe(z.enum([...Object.keys(answers), notKnown]))

const capacitySchema = z
  .unknown()
  .refine(isCapacity, { error: `must be a whole number of at least 0, or \`${notKnown}\`` })
  .transform(String)

const answersOf = Object.fromEntries(pluginQuestions.map(({ id, answers }) => [id, answerOf(answers)]))

const documentSchema = z.strictObject({
  schema: z.literal(profileSchema).optional(),
  plugin: orEmpty(
    z.strictObject({
      name: text.optional(),
      version: text.optional(),
      licenseActive: z.boolean().optional(),
      capacity: capacitySchema.optional(),
      answers: mapping(answersOf).default({}),
      headers: textsFor(defaultWording.headers).exactOptional(),
      reasonPhrases: orEmpty(z.record(z.string(), text).superRefine(onlyStatusCodes)).exactOptional(),
      errorTexts: textsFor(defaultWording.errorTexts).exactOptional(),
    }),
  ),
})

function isCapacity(value: unknown): boolean {
  if (typeof value !== 'string') return false
  return value === notKnown || (/^\d+$/.test(value) && Number.isSafeInteger(Number(value)))
}

function onlyStatusCodes(phrases: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void {
  for (const status of Object.keys(phrases).filter((name) => !/^[1-5]\d\d$/.test(name))) {
    context.addIssue({ code: 'custom', path: [status], message: 'is not a status code', input: status })
  }
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\ufeff/, '')
  } catch (cause) {
    throw new InvalidProfileError([`The profile cannot be read: ${(cause as Error).message}.`], { cause })
  }
}
