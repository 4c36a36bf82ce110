// Path and page. Every view has a URL, and going back finds the place again.

export type Page = 'services' | 'service' | 'trace' | 'rules' | 'names' | 'nodes' | 'history' | 'machine' | 'learn' | 'settings' | 'lost'
export interface Route { page: Page; namespace: string; name: string; query: URLSearchParams }

export const PATHS: Record<string, Page> = {
  '': 'services', trace: 'trace', rules: 'rules', dns: 'names', nodes: 'nodes',
  history: 'history', machine: 'machine', learn: 'learn', settings: 'settings',
}

/** Pure: a path and a query in, a page out. */
export function route(path: string, search: string): Route {
  const [first = '', namespace = '', name = '', ...rest] = path.replace(/^\/ui\/?/, '').split('/').map(decodeURIComponent)
  const query = new URLSearchParams(search)
  if (first === 'svc' && name !== '' && rest.length === 0) return { page: 'service', namespace, name, query }
  if (first === 'learn') return { page: 'learn', namespace: '', name: namespace, query }
  if (first === 'rules') return { page: 'rules', namespace, name, query }
  const page = namespace === '' ? PATHS[first] : undefined
  return { page: page ?? 'lost', namespace: '', name: '', query }
}

class Router {
  current = $state.raw<Route>(route(location.pathname, location.search))

  constructor() {
    history.scrollRestoration = 'auto'
    window.addEventListener('popstate', () => this.read())
    document.addEventListener('click', (event) => this.click(event))
  }

  private read(): void {
    this.current = route(location.pathname, location.search)
  }

  go(url: string): void {
    history.pushState(null, '', url)
    this.read()
    window.scrollTo(0, 0)
    document.querySelector<HTMLElement>('h1')?.focus()
  }

  /** Notes in the URL what a reload should find again. */
  note(name: string, value: string): void {
    const query = new URLSearchParams(location.search)
    if (value === '') query.delete(name)
    else query.set(name, value)
    const text = query.toString()
    history.replaceState(null, '', location.pathname + (text && '?' + text))
    this.read()
  }

  private click(event: MouseEvent): void {
    const link = (event.target as Element | null)?.closest('a')
    if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    if (link.origin !== location.origin || link.target !== '' || link.hasAttribute('download') || link.hash !== '') return
    event.preventDefault()
    this.go(link.href)
  }
}
export const router = new Router()
export const serviceUrl = (key: string): string => '/ui/svc/' + key.split('/').map(encodeURIComponent).join('/')
