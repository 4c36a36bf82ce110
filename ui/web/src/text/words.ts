// Sentences by key and values, put into words like the command line does. Pure.

export type Entries = Readonly<Record<string, string>>
export type Values = Readonly<Record<string, string | number>>

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/

/** Fills `{name}`; a value that is a word of a closed list has a text of its own. */
export function fill(entries: Entries, key: string, values: Values, shownTime: (iso: string) => string, depth = 0): string {
  const text = entries[key]
  if (text === undefined) return key
  return text.replace(/\{([A-Za-z]+)\}/g, (whole, name: string) => {
    const value = values[name]
    if (value === undefined) return whole
    const word = String(value)
    if (depth < 4) {
      for (const listed of [`${key}.${name}.${word}`, `${name}.${word}`]) {
        if (entries[listed] !== undefined) return fill(entries, listed, values, shownTime, depth + 1)
      }
    }
    return TIME.test(word) ? shownTime(word) : word
  })
}
