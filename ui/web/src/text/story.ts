// The walkthrough of the documentation as chapters and blocks, read from its Markdown. Pure: what is not known stays text.

export interface Inline { kind: 'text' | 'code' | 'strong' | 'em'; text: string }
export interface Step { command: string; output: string }
export type Block =
  | { kind: 'p'; inlines: Inline[] }
  | { kind: 'h'; inlines: Inline[] }
  | { kind: 'list'; ordered: boolean; items: Inline[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'console'; steps: Step[] }
  | { kind: 'pre'; text: string }
export interface Chapter { id: string; title: string; blocks: Block[] }
/** A Service of the reader's own. */
export interface Own { namespace: string; name: string }

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\([^)]*\)/g

/** Links lead to files beside the text, which a page does not have: their words stay. */
export function inlines(text: string): Inline[] {
  const found: Inline[] = []
  let at = 0
  for (const match of text.matchAll(INLINE)) {
    if (match.index > at) found.push({ kind: 'text', text: text.slice(at, match.index) })
    const [whole, code, strong, em, link] = match
    if (code !== undefined) found.push({ kind: 'code', text: code })
    else if (strong !== undefined) found.push({ kind: 'strong', text: strong })
    else if (em !== undefined) found.push({ kind: 'em', text: em })
    else found.push(...inlines(link!))
    at = match.index + whole.length
  }
  if (at < text.length) found.push({ kind: 'text', text: text.slice(at) })
  return found
}

function steps(lines: string[]): Step[] {
  const all: Step[] = []
  for (const line of lines) {
    const last = all.at(-1)
    if (line.startsWith('$ ')) all.push({ command: line.slice(2), output: '' })
    else if (last) last.output += (last.output === '' ? '' : '\n') + line
  }
  return all
}

const cells = (line: string): Inline[][] => line.replace(/^\||\|\s*$/g, '').split('|').map((cell) => inlines(cell.trim()))

function block(lines: string[]): Block | undefined {
  const first = lines[0]!
  const item = /^(\d+\.|[-*]) /
  if (first.startsWith('### ')) return { kind: 'h', inlines: inlines(first.slice(4)) }
  if (first.startsWith('|')) return { kind: 'table', head: cells(first), rows: lines.slice(2).map(cells) }
  if (item.test(first)) {
    const items: string[] = []
    for (const line of lines) {
      if (item.test(line)) items.push(line.replace(item, ''))
      else items.push((items.pop() ?? '') + ' ' + line.trim())
    }
    return { kind: 'list', ordered: /^\d/.test(first), items: items.map(inlines) }
  }
  return { kind: 'p', inlines: inlines(lines.map((line) => line.trim()).join(' ')) }
}

export function story(markdown: string): Chapter[] {
  const chapters: Chapter[] = []
  let open: string[] = []
  let fenced: string[] | undefined
  const blocks = (): Block[] => chapters.at(-1)?.blocks ?? []
  const end = (): void => {
    const made = open.length > 0 ? block(open) : undefined
    if (made) blocks().push(made)
    open = []
  }
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) {
      end()
      if (fenced) blocks().push(fenced.some((each) => each.startsWith('$ ')) ? { kind: 'console', steps: steps(fenced) } : { kind: 'pre', text: fenced.join('\n') })
      fenced = fenced ? undefined : []
    } else if (fenced) fenced.push(line)
    else if (/^##? /.test(line)) {
      end()
      chapters.push({ id: `walk-${chapters.length}`, title: line.replace(/^#+ /, ''), blocks: [] })
    } else if (line.trim() === '' || line.startsWith('<!--')) end()
    else if (line.startsWith('### ') || (line.startsWith('|') !== (open[0]?.startsWith('|') ?? false) && open.length > 0)) {
      end()
      open = [line]
      if (line.startsWith('### ')) end()
    } else open.push(line)
  }
  end()
  return chapters
}

/** What a module's README teaches before it comes to its code. */
export function lesson(markdown: string): Chapter[] {
  const chapters = story(markdown)
  const code = chapters.findIndex((chapter) => chapter.title === 'The code')
  return code < 0 ? chapters : chapters.slice(0, code)
}

/** The command with the reader's own Service where it names the example's. */
export function personal(command: string, own: Own | undefined): string {
  if (own === undefined || / (apply|delete|scale|patch|wait) /.test(command)) return command
  const named = command
    .replace(/(\b(?:svc|service|services|endpoints)[ /]|service-name=|fairlead dns )hostnames(?![\w-])/g, `$1${own.name}`)
    .replace(/(?<![\w-])hostnames\.default\.svc/g, `${own.name}.${own.namespace}.svc`)
  if (named === command || own.namespace === 'default') return named
  return /\b(kubectl|fairlead) /.test(named) ? named.replace(/( \| .*)?$/, ` -n ${own.namespace}$1`) : named
}
