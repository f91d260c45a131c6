/** Characters that nobody would see, or that turn the reading direction; line feeds and tabs stay. */
const hidden = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu

/** The text with every such character spelled out. */
export function visible(text) {
  return String(text).replace(hidden, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * An element with attributes and children. Texts become text nodes and nothing else: what clients
 * and servers have sent can never be markup.
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(attribute, value)
    else if (value !== undefined) made.setAttribute(attribute, value)
  }
  made.append(...children.map((child) => (child instanceof Node ? child : visible(child))))
  return made
}

export const byId = (id) => document.getElementById(id)

/** Says something to everybody, screen readers too. */
export function say(text, isProblem = false) {
  const notice = byId('notice')
  notice.textContent = visible(text)
  notice.classList.toggle('problem', isProblem)
}
