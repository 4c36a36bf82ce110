// Path and page. Every view has a URL, and going back finds the place again.
import { route, type Route } from './routes'

export { serviceUrl, type Page } from './routes'

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
