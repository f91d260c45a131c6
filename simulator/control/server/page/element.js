/** Invisible characters and those that change the reading direction, except line feeds and tabs. */
const hidden = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu

/** The text with each such character as an escape sequence. */
export function visible(text) {
  return String(text).replace(hidden, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** An element with attributes and children. Strings become text nodes, so data is never interpreted as markup. */
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

/** Shows a notice, which screen readers also announce. */
export function showNotice(text, isProblem = false) {
  const notice = byId('notice')
  notice.textContent = visible(text)
  notice.classList.toggle('problem', isProblem)
}
