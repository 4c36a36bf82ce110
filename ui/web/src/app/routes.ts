// Which page a path means. Pure.

export type Page = 'services' | 'service' | 'trace' | 'rules' | 'names' | 'nodes' | 'history' | 'machine' | 'learn' | 'settings' | 'lost'
export interface Route { page: Page; namespace: string; name: string; query: URLSearchParams }

export const PATHS: Record<string, Page> = {
  '': 'services', trace: 'trace', rules: 'rules', dns: 'names', nodes: 'nodes',
  history: 'history', machine: 'machine', learn: 'learn', settings: 'settings',
}

/** What is no encoding stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Commands are made of names in paths: what is no name makes no page, so that no link can smuggle in more of a command. */
const isName = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9.-]*$/.test(text)

/** Pure: a path and a query in, a page out. */
export function route(path: string, search: string): Route {
  const [first = '', namespace = '', name = '', ...rest] = path.replace(/^\/ui\/?/, '').split('/').map(decoded)
  const query = new URLSearchParams(search)
  if ([namespace, name].some((part) => part !== '' && !isName(part))) return { page: 'lost', namespace: '', name: '', query }
  if (first === 'svc' && name !== '' && rest.length === 0) return { page: 'service', namespace, name, query }
  if (first === 'learn') return { page: 'learn', namespace: '', name: namespace, query }
  if (first === 'rules') return { page: 'rules', namespace, name, query }
  const page = namespace === '' ? PATHS[first] : undefined
  return { page: page ?? 'lost', namespace: '', name: '', query }
}

export const serviceUrl = (key: string): string => '/ui/svc/' + key.split('/').map(encodeURIComponent).join('/')
