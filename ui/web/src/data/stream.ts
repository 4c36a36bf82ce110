// The one event stream of the page: resumed after a cut, closed while the tab is hidden.

export interface Sink {
  event(kind: string, data: unknown): void
  /** Whether values are up to date. */
  live(yes: boolean): void
  /** There is no session any more. */
  ended(): void
}

const HIDDEN = 10_000, SILENT = 25_000, AGAIN = 1_000, MOST_WAIT = 10_000

export class Stream {
  private source: EventSource | null = null
  private topics: string[] = []
  private last = ''
  private failures = 0
  private timers: { silent?: number; hidden?: number; again?: number } = {}

  constructor(private readonly sink: Sink) {
    document.addEventListener('visibilitychange', () => this.visibility())
  }

  /** Follows these topics from now on, each from its beginning. */
  follow(topics: string[]): void {
    if (topics.join('\n') === this.topics.join('\n') && this.source !== null) return
    this.topics = topics
    this.last = ''
    this.open()
  }

  private visibility(): void {
    window.clearTimeout(this.timers.hidden)
    if (document.visibilityState === 'hidden') {
      this.timers.hidden = window.setTimeout(() => this.close(), HIDDEN)
    } else if (this.source === null) {
      this.open()
    }
  }

  private close(): void {
    this.source?.close()
    this.source = null
    window.clearTimeout(this.timers.silent)
    window.clearTimeout(this.timers.again)
  }

  private open(): void {
    this.close()
    if (this.topics.length === 0) return
    const query = this.topics.map((topic) => 'topic=' + encodeURIComponent(topic)).join('&')
    const source = new EventSource(`/ui/api/v1/stream?${query}${this.last && '&last=' + encodeURIComponent(this.last)}`)
    this.source = source
    source.onopen = () => this.heard()
    source.onerror = () => this.failed()
    for (const kind of ['snapshot', 'delta', 'bye']) {
      source.addEventListener(kind, (event) => {
        const message = event as MessageEvent<string>
        if (message.lastEventId !== '') this.last = message.lastEventId
        this.heard()
        if (kind === 'bye') {
          this.close()
          if ((JSON.parse(message.data) as { why: string }).why === 'session') this.sink.ended()
          else this.retry()
        } else {
          this.failures = 0
          this.sink.live(true)
          this.sink.event(kind, JSON.parse(message.data))
        }
      })
    }
    this.watch()
  }

  /** Pings are comments, which the browser does not show: the connection itself tells its end. */
  private heard(): void {
    this.watch()
  }

  private watch(): void {
    window.clearTimeout(this.timers.silent)
    this.timers.silent = window.setTimeout(() => {
      if (this.source?.readyState === EventSource.OPEN) this.watch()
      else this.failed()
    }, SILENT)
  }

  private failed(): void {
    this.close()
    this.failures++
    this.sink.live(false)
    this.retry()
  }

  private retry(): void {
    this.timers.again = window.setTimeout(() => void this.again(), Math.min(MOST_WAIT, AGAIN * this.failures))
  }

  private async again(): Promise<void> {
    if (document.visibilityState === 'hidden') return
    const response = await fetch('/ui/api/v1/session').catch(() => null)
    if (response?.status === 401) this.sink.ended()
    else if (response?.ok) this.open()
    else this.failed()
  }
}
