// Measures the page in a real browser: node browser/bench.mjs CONFIG.json. Prints one line of JSON for each figure, and marks between
// which who called it looks at the server's process.
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { gzipSync } from 'node:zlib'
import { launch, until, Visitor } from './harness.mjs'
import { DETAIL, FLOWS, LIST, ROW, ScriptedHost } from './scripted.mjs'

const config = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const base = new URL(config.link).origin
const browser = await launch(config.chromium, '--js-flags=--expose-gc')
const visitor = new Visitor(browser, base)
const KEY = 'default/hostnames'
const say = (what, figure, value) => console.log(JSON.stringify({ what, figure, value }))
const mark = (name) => console.log(JSON.stringify({ mark: name }))
const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]
const pause = (millis) => new Promise((done) => setTimeout(done, millis))

const kubeconfig = readFileSync(config.kubeconfig, 'utf8')
const field = (name) => new RegExp(`${name}: *"?([^"\\s]+)`).exec(kubeconfig)[1]
const decoded = (name) => Buffer.from(field(name), 'base64')
const agent = new Agent({ keepAlive: true, ca: decoded('certificate-authority-data'), cert: decoded('client-certificate-data'), key: decoded('client-key-data') })
const patch = (path, body) =>
  new Promise((done, failed) => {
    const asked = request(field('server') + path, { method: 'PATCH', agent, headers: { 'Content-Type': 'application/merge-patch+json' } }, (response) => {
      response.resume()
      response.on('end', () => (response.statusCode === 200 ? done() : failed(new Error(`${path}: ${response.statusCode}`))))
    })
    asked.on('error', failed)
    asked.end(JSON.stringify(body))
  })

/** From before a write until the page has what it makes, for each of many writes. */
async function toScreen(page, times, write, selector) {
  const millis = []
  for (let i = 0; i < times; i++) {
    const wanted = selector(i)
    await page.evaluate(([css, text]) => {
      window.at = undefined
      const there = () => [...document.querySelectorAll(css)].some((one) => one.textContent.includes(text))
      new MutationObserver((_, me) => { if (there()) { window.at = performance.timeOrigin + performance.now(); me.disconnect() } }).observe(document.querySelector('main'), { childList: true, subtree: true, characterData: true })
    }, wanted)
    const began = performance.timeOrigin + performance.now()
    await write(i)
    await until(page, () => window.at !== undefined)
    millis.push((await page.evaluate(() => window.at)) - began)
    await pause(350)
  }
  return millis
}

let cookies
async function entered() {
  const page = await visitor.tab()
  if (cookies) await page.context().addCookies(cookies)
  else {
    await page.goto(config.link)
    await page.waitForSelector('table.services a[data-row]')
    cookies = await page.context().cookies(base + '/ui/')
  }
  return page
}

async function load() {
  await (await entered()).context().close()
  const paints = [], usable = []
  for (let i = 0; i < config.times; i++) {
    const page = await entered()
    await page.addInitScript(() => {
      const look = new MutationObserver(() => { if (document.querySelector('table.services a[data-row]')) { window.usable = performance.now(); look.disconnect() } })
      look.observe(document, { childList: true, subtree: true })
    })
    await page.goto(base + '/ui/')
    await until(page, () => window.usable !== undefined && performance.getEntriesByName('first-contentful-paint').length > 0)
    paints.push(await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime))
    usable.push(await page.evaluate(() => window.usable))
    await page.context().close()
  }
  say(`load-${config.services}`, 'first_paint_ms', quantile(paints, 0.5))
  say(`load-${config.services}`, 'usable_ms', quantile(usable, 0.5))
}

async function server() {
  mark('idle')
  await pause(config.seconds * 1000)
  mark('idle-end')
  const page = await entered()
  await page.goto(base + '/ui/')
  await page.waitForSelector('table.services a[data-row]')
  await pause(3000)
  mark('tab')
  await pause(config.seconds * 1000)
  mark('tab-end')
  await page.context().close()
}

async function writes() {
  const page = await entered()
  await page.goto(base + '/ui/?q=name:s-0')
  await page.waitForSelector('table.services a[data-row]')
  const rows = await toScreen(page, config.times * 4, (i) => patch('/api/v1/namespaces/default/services/s-0', { spec: { ports: [{ name: 'http', port: 2000 + i, targetPort: 80, protocol: 'TCP' }] } }), (i) => ['table.services td', `${2000 + i}→80`])
  say('write-to-row', 'median_ms', quantile(rows, 0.5))
  say('write-to-row', 'p99_ms', quantile(rows, 0.99))
  await page.goto(base + '/ui/svc/default/direct')
  await page.waitForSelector('g[data-id="endpoint 192.0.2.1:80"]')
  const slice = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/direct-1'
  const picture = await toScreen(page, config.times * 4, (i) => patch(slice, { endpoints: [{ addresses: [`192.0.2.${i + 2}`], conditions: { ready: true } }] }), (i) => ['.picture g[data-id^="endpoint "]', `192.0.2.${i + 2}:80`])
  say('write-to-picture', 'median_ms', quantile(picture, 0.5))
  say('write-to-picture', 'p99_ms', quantile(picture, 0.99))
  await page.context().close()
}

/** A tab on a host whose values are set here, and how long its main thread has worked. */
async function scripted(work) {
  const host = await new ScriptedHost().start()
  const visits = new Visitor(browser, host.base)
  const page = await visits.tab()
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable')
  const worked = async () => (await cdp.send('Performance.getMetrics')).metrics.find((m) => m.name === 'TaskDuration').value * 1000
  const heap = async () => {
    await cdp.send('HeapProfiler.collectGarbage')
    return (await cdp.send('Runtime.getHeapUsage')).usedSize / 1e6
  }
  host.values.set('services', LIST(Array.from({ length: 200 }, (_, i) => ROW(i)), { total: 1000 })).set('rates', { unseen: true, rates: {} })
    .set(`service:${KEY}`, DETAIL(12)).set(`flows:${KEY}`, FLOWS(12)).set(`history:${KEY}`, { apiAlone: false, changes: {}, order: [] })
  try {
    await work(page, host, worked, heap)
  } finally {
    await page.context().close()
    host.close()
  }
}
const frame = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
const flow = (i) => Object.fromEntries([...Array.from({ length: 12 }, (_, j) => [`ports/http/endpoints/10.244.1.${j + 1}:9376/newPerSecond`, 5 + ((i * 7 + j * 3) % 11)]), ['ports/http/newPerSecond', 120]])

async function deltas() {
  await scripted(async (page, host, worked) => {
    await page.goto(host.base + '/ui/')
    await page.waitForSelector('table.services a[data-row]')
    const times = []
    for (let i = 0; i < config.times * 10; i++) {
      await pause(100)
      const before = await worked()
      host.change('services', Object.fromEntries(Array.from({ length: 100 }, (_, j) => [`items/default~1s${j}/ready`, (i + j) % 4])))
      await frame(page)
      times.push((await worked()) - before)
    }
    say('delta-100', 'median_ms', quantile(times, 0.5))
    say('delta-100', 'p99_ms', quantile(times, 0.99))
  })
}

async function picture() {
  await scripted(async (page, host, worked) => {
    await page.goto(host.base + '/ui/svc/default/hostnames')
    await page.waitForSelector('.picture path.ribbon')
    await page.evaluate(() => { window.long = 0; new PerformanceObserver((list) => list.getEntries().forEach((e) => { if (e.duration > 100) window.long++ })).observe({ type: 'longtask' }) })
    const before = await worked()
    for (let i = 0; i < config.seconds * 4; i++) {
      host.change(`flows:${KEY}`, flow(i))
      await pause(250)
    }
    say('picture-12', 'cpu_percent', ((await worked()) - before) / (config.seconds * 10))
    say('picture-12', 'long_tasks', await page.evaluate(() => window.long))
  })
}

async function cut() {
  await scripted(async (page, host) => {
    await page.goto(host.base + '/ui/svc/default/hostnames')
    await page.waitForSelector('.picture path.ribbon')
    const snapshots = host.counted.snapshots
    host.cut()
    for (let i = 0; i < 100; i++) host.change(`service:${KEY}`, { 'row/ready': i % 12 })
    await pause(config.cutSeconds * 1000)
    host.down = false
    const began = Date.now()
    await page.getByText('3 of 12 pods serve').first().waitFor()
    say('cut', 'resumed_ms', Date.now() - began)
    say('cut', 'snapshots', host.counted.snapshots - snapshots)
  })
}

async function memory() {
  for (const [what, path, ready, topic, change] of [
    ['heap-service', '/ui/svc/default/hostnames', '.picture path.ribbon', `flows:${KEY}`, flow],
    ['heap-services', '/ui/', 'table.services a[data-row]', 'services', (i) => ({ [`items/default~1s${i % 200}/ready`]: i % 4 })],
  ])
    await scripted(async (page, host, worked, heap) => {
      await page.goto(host.base + path)
      await page.waitForSelector(ready)
      let third = 0
      // Half an hour at four changes a second, without the waiting.
      for (let i = 1; i <= config.changes; i++) {
        host.change(topic, change(i))
        if (i % 20 === 0) await frame(page)
        if (i === Math.floor(config.changes / 3)) third = await heap()
      }
      const end = await heap()
      say(what, 'heap_mb', end)
      say(what, 'growth_mb', end - third)
    })
}

async function layouts() {
  const { createServer } = await import('vite')
  const vite = await createServer({ root: new URL('..', import.meta.url).pathname, configFile: false, logLevel: 'silent', server: { middlewareMode: true, ws: false, watch: null }, optimizeDeps: { noDiscovery: true } })
  const { layout } = await vite.ssrLoadModule('/src/picture/layout.ts')
  for (const endpoints of [12, 200, 5000]) {
    const model = {
      kind: 'service', name: 'hostnames.default.svc.cluster.local', rule: { text: 'nftables', mode: 'nftables' }, asks: [], leftOut: [],
      fronts: [{ kind: 'ClusterIP', text: '10.96.0.1:80', rate: null, verdict: 'forward', dropsOn: [] }],
      endpoints: Array.from({ length: endpoints }, (_, i) => ({ id: `e${i}`, text: `10.244.${i >> 8}.${i & 255}:9376`, pod: `pod-${i}`, node: 'a', state: 'ready', expected: 1 / endpoints, seen: 1 / endpoints, rate: 1 })),
    }
    const times = Array.from({ length: 200 }, () => {
      const began = performance.now()
      layout(model, 1200)
      return performance.now() - began
    })
    say(`layout-${endpoints}`, 'median_ms', quantile(times, 0.5))
  }
  await vite.close()
}

function bundle() {
  const built = new URL('../../src/main/resources/io/fairlead/ui/web/', import.meta.url)
  const packed = (name) => gzipSync(readFileSync(new URL(name, built)), { level: 9 }).length / 1e3
  say('bundle', 'app_js_kb', packed('app.js'))
  say('bundle', 'all_kb', ['index.html', 'app.js', 'app.css', 'icon.svg'].reduce((sum, name) => sum + packed(name), 0))
}

const measures = { load, server, writes, deltas, picture, cut, memory, layouts, bundle }
for (const name of config.measures) await measures[name]()
if (visitor.problems.length > 0) throw new Error(visitor.problems.join('\n'))
await browser.close()
