import { styleText } from 'node:util'

type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** Puts a colour on a text, or leaves it as it is. */
export type Paint = (colour: Colour, text: string) => string

/** No colour at all. */
export const plain: Paint = (_colour, text) => text

/** Colours where the stream is a terminal that wants them; `NO_COLOR` and `FORCE_COLOR` are obeyed. */
export function paintFor(stream: NodeJS.WritableStream): Paint {
  return (colour, text) => styleText(colour, text, { stream })
}
