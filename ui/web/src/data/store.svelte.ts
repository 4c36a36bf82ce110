// The state of the page: values of topics, whether they are fresh, and who is let in.
import { untrack } from 'svelte'
import { apply, type Delta, type Json } from './apply'
import { get, keep, login, type Session } from './http'
import { Stream } from './stream'

interface Message { topic: string; value?: Json; set?: Delta['set']; remove?: Delta['remove'] }

class Store {
  session = $state.raw<Session | null>(null)
  /** `asking` until the server has said whether there is a session. */
  entry = $state<'asking' | 'in' | 'out'>('asking')
  values = $state.raw<Record<string, Json>>({})
  live = $state(true)
  paused = $state(false)
  waiting = $state(0)
  now = $state(Date.now())
  lastHeard = $state(Date.now())
  private wanted: string[] = []
  private held: Message[] = []
  private readonly stream = new Stream({
    event: (_kind, data) => this.take(data as Message),
    live: (yes) => {
      this.live = yes
      if (yes) this.lastHeard = Date.now()
    },
    ended: () => this.out(),
  })

  async enter(code: string): Promise<void> {
    try {
      this.session = keep(code === '' ? await get<Session>('session') : await login({ code }))
      this.in()
    } catch {
      this.out()
    }
  }

  /** Whether the host lets in who shows that. */
  async present(credential: { token?: string }): Promise<boolean> {
    try {
      this.session = keep(await login(credential))
    } catch {
      return false
    }
    this.in()
    return true
  }

  private in(): void {
    this.entry = 'in'
    this.stream.follow(this.wanted)
  }

  private out(): void {
    this.live = false
    if (this.session === null) this.entry = 'out'
    this.session = null
  }

  /** The topics of what is on the screen. */
  want(topics: string[]): void {
    untrack(() => this.change(topics))
  }

  private change(topics: string[]): void {
    this.wanted = topics
    const kept: Record<string, Json> = {}
    for (const topic of topics) if (this.values[topic] !== undefined) kept[topic] = this.values[topic]
    this.values = kept
    if (this.entry === 'in') this.stream.follow(topics)
  }

  private take(message: Message): void {
    this.lastHeard = Date.now()
    if (this.paused && this.values[message.topic] !== undefined) {
      this.held.push(message)
      this.waiting = this.held.length
      return
    }
    const before = this.values[message.topic]
    if (message.value !== undefined) this.values = { ...this.values, [message.topic]: message.value }
    else if (before !== undefined)
      this.values = { ...this.values, [message.topic]: apply(before, { set: message.set ?? {}, remove: message.remove ?? [] }) }
  }

  pause(): void {
    this.paused = !this.paused
    if (!this.paused) {
      const held = this.held
      this.held = []
      this.waiting = 0
      held.forEach((message) => this.take(message))
    }
  }

  value<T>(topic: string): T | undefined {
    return this.values[topic] as T | undefined
  }
}

export const store = new Store()
window.setInterval(() => {
  if (document.visibilityState === 'visible') store.now = Date.now()
}, 1000)
