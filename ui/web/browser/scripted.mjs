// A host of the page whose values a test sets: for states that are hard to make with a cluster.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const BUILT = new URL('../../src/main/resources/io/fairlead/ui/web/', import.meta.url)
const DOCS = new URL('../../../docs/', import.meta.url)
const EXAMPLES = new URL('../../../examples/', import.meta.url)
const TYPES = { html: 'text/html; charset=utf-8', js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', svg: 'image/svg+xml', md: 'text/plain; charset=utf-8', yaml: 'text/plain; charset=utf-8' }
const RULES = readFileSync(new URL('../../src/main/java/io/fairlead/ui/session/RequestRules.java', import.meta.url), 'utf8')
/** The policy of the true host, from its source. */
export const POLICY = [...RULES.slice(RULES.indexOf('"Content-Security-Policy",'), RULES.indexOf('"X-Content-Type-Options"')).matchAll(/"([^"]*)"/g)].slice(1).map((m) => m[1]).join('')

function file(path) {
  const name = path.replace(/^\/ui\//, '')
  if (name === 'en/walkthrough.md') return readFileSync(new URL('walkthrough.md', DOCS))
  if (name === 'zh-CN/walkthrough.md') return readFileSync(new URL('zh-CN/walkthrough.md', DOCS))
  if (name.startsWith('modules/')) return readFileSync(new URL('../../../' + name.slice('modules/'.length), import.meta.url))
  if (name.startsWith('examples/')) return readFileSync(new URL(name.slice('examples/'.length), EXAMPLES))
  return readFileSync(new URL(name.includes('.') ? name : 'index.html', BUILT))
}

export class ScriptedHost {
  values = new Map()
  /** Answers by path below `/ui/api/v1/`, without the query. */
  documents = new Map()
  session = { user: 'tester', groups: [], token: 't', epoch: 'e1', version: 'test', now: new Date().toISOString(), until: '2099-01-01T00:00:00Z', writes: false, rights: { trace: true } }
  log = []
  number = 0
  streams = new Set()
  sockets = new Set()
  /** What was sent, and how a stream began: `snapshots`, `deltas`, `streams`. */
  counted = { snapshots: 0, deltas: 0, streams: 0, requests: 0 }
  down = false
  silent = false

  async start() {
    this.server = createServer((request, response) => this.serve(request, response))
    this.server.on('connection', (socket) => {
      if (this.down) return socket.destroy()
      this.sockets.add(socket)
      socket.on('close', () => this.sockets.delete(socket))
    })
    await new Promise((done) => this.server.listen(0, '127.0.0.1', done))
    this.base = `http://127.0.0.1:${this.server.address().port}`
    return this
  }

  serve(request, response) {
    this.counted.requests++
    const url = new URL(request.url, this.base)
    response.setHeader('Content-Security-Policy', POLICY)
    const json = (status, body) => response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    if (!url.pathname.startsWith('/ui/api/v1/')) {
      return response.writeHead(200, { 'Content-Type': TYPES[url.pathname.includes('.') ? url.pathname.split('.').at(-1) : 'html'] }).end(file(url.pathname))
    }
    const path = url.pathname.slice('/ui/api/v1/'.length)
    if (this.session === null) return json(401, { reason: 'Unauthorized', message: 'there is no session' })
    if (path === 'session') return json(200, this.session)
    if (path === 'stream') return this.stream(url, response)
    const known = this.documents.get(path)
    const answer = typeof known === 'function' ? known(url) : known
    if (answer?.lines) {
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson' })
      return answer.lines((line) => response.write(JSON.stringify(line) + '\n')).then(() => response.end())
    }
    return answer === undefined ? json(404, { reason: 'NotFound', message: path }) : json(answer.status ?? 200, answer)
  }

  stream(url, response) {
    if (this.silent) return undefined
    this.counted.streams++
    const topics = url.searchParams.getAll('topic')
    const last = /^(.*)-(\d+)$/.exec(url.searchParams.get('last') ?? '')
    const since = last && last[1] === this.session.epoch ? Number(last[2]) : -1
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' })
    const one = { topics, response }
    this.streams.add(one)
    response.on('close', () => this.streams.delete(one))
    response.write('retry: 1000\n\n')
    for (const topic of topics) {
      if (since >= 0) this.log.filter((e) => e.topic === topic && e.number > since).forEach((e) => this.write(one, 'delta', e, e.number))
      else if (this.value(topic) !== undefined) this.write(one, 'snapshot', { topic, value: this.value(topic) }, this.number)
    }
    response.write('event: ping\ndata: {}\n\n')
  }

  value(topic) {
    const exact = this.values.get(topic) ?? this.values.get(topic.split(/[?:]/)[0] + '*')
    return typeof exact === 'function' ? exact(topic) : exact
  }

  write(one, kind, data, number) {
    this.counted[kind + 's']++
    one.response.write(`id: ${this.session.epoch}-${number}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  /** A change of a value: to what is kept and to all streams that show it. */
  change(topic, set, remove = []) {
    const value = this.values.get(topic)
    for (const path of remove) put(value, path, undefined)
    for (const [path, leaf] of Object.entries(set)) put(value, path, leaf)
    const event = { topic, number: ++this.number, version: this.number, set, remove }
    this.log.push(event)
    if (this.log.length > 1024) this.log.shift()
    for (const one of this.streams) if (one.topics.includes(topic)) this.write(one, 'delta', event, event.number)
  }

  /** Breaks all connections; the host is away until `down` is set back. */
  cut() {
    this.down = true
    for (const socket of this.sockets) socket.destroy()
  }

  close() {
    for (const socket of this.sockets) socket.destroy()
    this.server.close()
  }
}

function put(value, path, leaf) {
  const parts = path.split('/').map((p) => p.replace(/~1/g, '/').replace(/~0/g, '~'))
  let at = value
  for (const part of parts.slice(0, -1)) at = at[part] ??= {}
  if (leaf === undefined) delete at[parts.at(-1)]
  else at[parts.at(-1)] = leaf
}

// Values like those of the true host.
export const ROW = (i, more = {}) => ({ key: `default/s${i}`, namespace: 'default', name: `s${i}`, type: 'ClusterIP', addresses: [`10.96.${i >> 8}.${i & 255}`], ports: ['80→9376'], ready: 3, selected: 3, state: 'serve', why: null, ...more })
export const LIST = (rows, more = {}) => ({
  total: rows.length, counts: { serve: rows.length, attention: 0, dead: 0, none: 0 }, forbidden: false, loading: false,
  items: Object.fromEntries(rows.map((r) => [r.key, r])), order: rows.map((r) => r.key), ...more,
})
export const WORD = (key, values = {}) => ({ key, values })
export function DETAIL(endpoints, more = {}) {
  const all = Array.from({ length: endpoints }, (_, i) => [`10.244.1.${i + 1}:9376`, { address: `10.244.1.${i + 1}`, port: 9376, pod: `hostnames-7c9d5f6b8-2kd${i}x`, node: 'abc'[i % 3], slice: 'hostnames-x', state: 'ready', serves: true, expected: 1 / endpoints, since: '2026-01-01T00:00:00Z' }])
  return {
    namespace: 'default', name: 'hostnames', exists: true, headless: false, alias: '', selector: 'app=hostnames', fqdn: 'hostnames.default.svc.cluster.local', affinity: 'None',
    row: { ...ROW(1, { name: 'hostnames', key: 'default/hostnames' }), ready: endpoints, selected: endpoints },
    explanation: { verdict: 'Works', first: null, rows: [{ name: 'Service', state: 'ok', source: 'api', code: '', items: [], findings: [], ...WORD('row.service.valid') }] },
    portOrder: ['http'],
    ports: { http: { name: 'http', port: 80, protocol: 'TCP', order: all.map(([id]) => id), endpoints: Object.fromEntries(all), fronts: { 'ClusterIP 10.96.0.1:80': { kind: 'ClusterIP', text: '10.96.0.1:80', verdict: 'forward' } }, leftOut: {} } },
    slices: {}, ...more,
  }
}
export function FLOWS(endpoints, each = 10) {
  return {
    unseen: false,
    ports: { http: { mode: 'nftables', active: endpoints, newPerSecond: endpoints * each, sources: { '10.244.1.99': { connections: 5, pod: 'default/client-0' } }, sourceCount: 1,
      endpoints: Object.fromEntries(Array.from({ length: endpoints }, (_, i) => [`10.244.1.${i + 1}:9376`, { active: 1, newPerSecond: each, in: 1000, out: 2000, share: 1 / endpoints, expect: 1 / endpoints, oldestSeconds: 60 }])) } },
  }
}
