// Runs in the browser. Finds scrollable elements that the keyboard cannot reach (WCAG 2.2, 2.1.1).
;(() => {
  const scrolls = (element) => {
    const { overflowX, overflowY } = getComputedStyle(element)
    return [overflowX, overflowY].some((overflow) => overflow === 'auto' || overflow === 'scroll')
  }
  const isReached = (element) => element.tabIndex >= 0 || element.querySelector('a[href], button, input, summary')
  return [...document.querySelectorAll('body *')]
    .filter((element) => scrolls(element) && !isReached(element))
    .map((element) => element.outerHTML.slice(0, 80))
})()
