// The commands that print what pages show. Pure.

const MARKS: Record<string, string> = { dead: '✕', attention: '▲' }
/** One word of a command line, whatever a link has brought. */
export const quoted = (text: string): string => (/^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`)

/** A line of `explain -A` has a mark, namespace and name, and what is found with its code; what it lacks is not asked for. */
export function listCommand(query: URLSearchParams): string {
  const words = (query.get('q') ?? '').trim().split(/\s+/).filter((word) => word !== '')
  if (query.get('ns')) words.push('ns:' + query.get('ns'))
  if (query.get('state')) words.push('state:' + query.get('state'))
  const filters = words.map((word) => {
    const [, field = '', value = word] = /^(ns|namespace|name|code|state|type):(.+)$/.exec(word) ?? []
    switch (field) {
      case 'ns': case 'namespace': return `grep -F ${quoted(` ${value}/`)}`
      case 'name': return `grep -E ${quoted(`/${value}( |$)`)}`
      case 'code': return `grep -F ${quoted(value.toUpperCase())}`
      case 'state': return MARKS[value] ? `grep '^${MARKS[value]}'` : `grep -v '^[✕▲]'`
      case 'type': return ''
      default: return /^[\d.:→]+$/.test(word) ? '' : `grep -iF ${quoted(value)}`
    }
  })
  return ['fairlead explain -A', ...filters.filter((filter) => filter !== '')].join(' | ')
}
