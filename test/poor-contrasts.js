// Runs in the browser. Finds texts with a contrast below 4.5 (WCAG 2.2, 1.4.3).
;(() => {
  const channels = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number)
  const light = (colour) => {
    const [red, green, blue] = channels(colour).map((value) => {
      const part = value / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const behind = (element) => {
    for (let one = element; one !== null; one = one.parentElement) {
      const { backgroundColor } = getComputedStyle(one)
      if ((channels(backgroundColor)[3] ?? 1) > 0) return backgroundColor
    }
    return 'rgb(255, 255, 255)'
  }
  const hasText = (element) =>
    [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== '')
  return [...document.querySelectorAll('body *')]
    .filter((element) => element.getClientRects().length > 0 && hasText(element))
    .flatMap((element) => {
      const [one, other] = [light(getComputedStyle(element).color), light(behind(element))]
      const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
      return contrast < 4.5 ? [`${element.textContent}: ${contrast.toFixed(2)}`] : []
    })
})()
