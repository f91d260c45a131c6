const arabicZero = 0x660

/** The index in Arabic-Indic digits, as it stands in a path. */
export function arabicDigits(index: number): string {
  return encodeURIComponent(String(index).replace(/\d/g, (digit) => String.fromCharCode(arabicZero + Number(digit))))
}

/** Spellings that a server may read as the index or reject. None of them names another rule. */
export const indexSpellings: readonly ((index: number) => string)[] = [
  (index) => `0${index}`,
  (index) => `000${index}`,
  (index) => `+${index}`,
  (index) => `%20${index}`,
  (index) => `${index}%20`,
  (index) => `${index}%09`,
  (index) => [...String(index)].join('_'),
  (index) => `0_${index}`,
  arabicDigits,
]
