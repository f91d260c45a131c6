import { styleText } from 'node:util'

/** Colours a text, or returns it unchanged. */
export type Paint = (colour: 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', text: string) => string

export const plain: Paint = (_colour, text) => text

/** Colours if the stream is a terminal with colours. Respects `NO_COLOR` and `FORCE_COLOR`. */
export function paintFor(stream: NodeJS.WritableStream): Paint {
  return (colour, text) => styleText(colour, text, { stream })
}
