// From what the server says of a Service and its connections to the model of the picture. Pure.
import type { Sentence } from '../text/t.svelte'
import type { Endpoint, Mark, Model } from './layout'

export interface DetailEndpoint { address: string; port: number; pod: string; node: string; slice: string; state: string; serves: boolean; expected: number; since?: string }
export interface DetailPort {
  name: string; port: number; protocol: string; order: string[]
  fronts: Record<string, { kind: string; text: string; verdict: 'forward' | 'reject'; dropsOn?: string[] }>
  endpoints: Record<string, DetailEndpoint>
  leftOut: Record<string, { pod: string; address: string; node: string; state: string; code: string; message: Sentence }>
}
export interface Flow {
  mode?: string; active?: number; newPerSecond?: number; inBytesPerSecond?: number; outBytesPerSecond?: number
  sources?: Record<string, { connections: number; pod?: string }>; sourceCount?: number
  endpoints: Record<string, { active: number; newPerSecond: number | null; in: number | null; out: number | null; share: number; expect: number; oldestSeconds: number | null }>
}
export interface Ghost { id: string; endpoint: DetailEndpoint; at: string }
export interface Words { unknown: string; outside: string; more: (count: number) => string; rejected: string; say: (s: Sentence) => string; removed: (at: string) => string }

/** Keeps the order of those that are there, so that nothing moves but by inserts and removes. */
export function model(
  port: DetailPort, flow: Flow | undefined, ghosts: Ghost[],
  service: { namespace: string; headless: boolean; alias: string; fqdn: string }, words: Words,
): Model {
  const total = flow?.newPerSecond ?? null
  const living: Endpoint[] = port.order.map((id) => {
    const e = port.endpoints[id]!
    const seen = flow?.endpoints[id]
    return {
      id, text: id, pod: e.pod, node: e.node, state: e.state as Mark,
      expected: seen && seen.expect > 0 ? seen.expect : e.expected,
      seen: seen && seen.newPerSecond !== null && total !== null && total > 0 ? seen.newPerSecond / total : null,
      rate: seen?.newPerSecond ?? null,
    }
  })
  const gone: Endpoint[] = ghosts
    .filter((g) => !port.order.includes(g.id))
    .map((g) => ({ id: g.id, text: g.id, pod: g.endpoint.pod, node: g.endpoint.node, state: 'gone', expected: 0, seen: null, rate: null, note: words.removed(g.at) }))
  const sources = Object.entries(flow?.sources ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
  const tracked = sources.reduce((sum, [, s]) => sum + s.connections, 0)
  const asks: Model['asks'] = sources.map(([address, s]) => ({
    text: s.pod?.replace(`${service.namespace}/`, '') ?? address, kind: s.pod ? 'pod' : 'outside',
    rate: total !== null && tracked > 0 ? (total * s.connections) / tracked : null,
  }))
  const more = (flow?.sourceCount ?? 0) - asks.length
  if (more > 0) asks.push({ text: words.more(more), kind: 'more', rate: null })
  if (asks.length === 0) asks.push({ text: words.unknown, kind: 'unknown', rate: null })
  const fronts = Object.values(port.fronts).map((f, i) => ({ kind: f.kind, text: f.text, verdict: f.verdict, dropsOn: f.dropsOn ?? [], rate: i === 0 ? total : null }))
  return {
    kind: service.alias !== '' ? 'alias' : service.headless ? 'headless' : 'service',
    name: service.fqdn, alias: service.alias,
    rule: { text: port.order.some((id) => port.endpoints[id]!.serves) ? (flow?.mode ?? words.unknown) : words.rejected, mode: flow?.mode ?? '' },
    fronts, asks,
    endpoints: [...living, ...gone].sort((a, b) => (a.id < b.id ? -1 : 1)),
    leftOut: Object.values(port.leftOut).map((l) => ({ id: l.pod, text: l.address, pod: l.pod, node: l.node, state: l.state as Mark, code: l.code, message: words.say(l.message) })),
  }
}
