// The one event stream of the page: resumed after a cut, closed while the tab is hidden.

export interface Sink {
  event(kind: string, data: unknown): void
  /** Whether values are up to date. */
  live(yes: boolean): void
  /** There is no session any more. */
  ended(): void
}

const HIDDEN = 10_000, SILENT = 25_000, AGAIN = 500, MOST_WAIT = 1_500, WITHOUT_STREAM = 3, POLL = 5_000, PATIENCE = 5_000

export class Stream {
  private source: EventSource | null = null
  private topics: string[] = []
  private last = ''
  private failures = 0
  /** Streams that were opened since the last one that brought something. */
  private attempts = 0
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
    this.attempts = 0
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
    source.onopen = () => this.watch()
    source.onerror = () => this.failed()
    for (const kind of ['snapshot', 'delta', 'bye', 'ping']) {
      source.addEventListener(kind, (event) => {
        const message = event as MessageEvent<string>
        if (message.lastEventId !== '') this.last = message.lastEventId
        this.watch()
        this.failures = this.attempts = 0
        if (kind === 'ping') this.sink.live(true)
        else if (kind === 'bye') {
          this.close()
          if ((JSON.parse(message.data) as { why: string }).why === 'session') this.sink.ended()
          else this.retry()
        } else {
          this.sink.live(true)
          this.sink.event(kind, JSON.parse(message.data))
        }
      })
    }
    this.watch()
  }

  /** The server says something every ten seconds; one that does not hangs, even if it is connected. */
  private watch(): void {
    window.clearTimeout(this.timers.silent)
    this.timers.silent = window.setTimeout(() => this.failed(), SILENT)
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
    const response = await ask('/ui/api/v1/session').catch(() => null)
    if (response?.status === 401) this.sink.ended()
    else if (!response?.ok) this.failed()
    else if (++this.attempts > WITHOUT_STREAM) await this.poll()
    else this.open()
  }

  /** Where something in between lets no stream through, each value is asked for by itself. */
  private async poll(): Promise<void> {
    this.last = ''
    for (const topic of this.topics) {
      const path = documentOf(topic)
      const response = path === '' ? null : await ask('/ui/api/v1/' + path).catch(() => null)
      if (response?.ok && this.source === null) this.sink.event('snapshot', { topic, value: await response.json() })
      if (response?.ok) this.sink.live(true)
    }
    if (document.visibilityState !== 'hidden') this.timers.again = window.setTimeout(() => void this.poll(), POLL)
  }
}

/** A host that hangs must not hold up the next try. */
const ask = (url: string): Promise<Response> => fetch(url, { signal: AbortSignal.timeout(PATIENCE) })

/** The path of a topic's value; empty when it has none. Pure. */
export function documentOf(topic: string): string {
  const [kind = '', key = ''] = topic.split(/:(.*)/s)
  if (kind === 'services' || kind.startsWith('services?')) return topic
  const service = 'services/' + key.split('/').map(encodeURIComponent).join('/')
  switch (kind) {
    case 'service': return service
    case 'flows': return service + '/flows'
    case 'history': return key === '' ? 'history' : service + '/history'
    case 'nodes': return 'nodes'
    default: return ''
  }
}
