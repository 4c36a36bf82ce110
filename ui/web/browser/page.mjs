// Looks at the page in a real browser: node browser/page.mjs CONFIG.json. Prints one line of JSON for each thing it tried.
// The config has `links`: two one-time links; `kubectl`: the words of a command; `out`: where screenshots go.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chromium } from 'playwright-core'

const config = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const base = new URL(config.links[0]).origin
const axe = readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')
const browser = await chromium.launch({
  executablePath: config.chromium, headless: true,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'],
})
const problems = []
const LIMIT = 30_000

async function tab(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US', ...options })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base })
  const page = await context.newPage()
  page.setDefaultTimeout(LIMIT)
  page.on('console', (m) => { if (m.type() === 'error' && !/401|403|404/.test(m.text())) problems.push(`${page.url()} ${m.text()}`) })
  page.on('pageerror', (e) => problems.push(`${page.url()} ${e.message}`))
  page.on('request', (r) => { if (!r.url().startsWith(base) && !r.url().startsWith('data:')) problems.push(`asked elsewhere: ${r.url()}`) })
  return page
}
const kubectl = (...words) => execFileSync(config.kubectl[0], [...config.kubectl.slice(1), ...words], { encoding: 'utf8' })
function check(truth, what) {
  if (!truth) throw new Error(what)
}
async function attempt(name, work) {
  const began = Date.now()
  try {
    const note = await work()
    console.log(JSON.stringify({ name, ok: true, millis: Date.now() - began, note: note ?? '' }))
  } catch (error) {
    console.log(JSON.stringify({ name, ok: false, millis: Date.now() - began, note: String(error?.message ?? error) }))
  }
}
async function accessible(page) {
  await page.evaluate(axe)
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }))
  return found.violations.map((v) => `${v.id}: ${v.nodes.slice(0, 2).map((n) => n.target.join(' ')).join(', ')}`)
}
const count = (page, selector) => page.locator(selector).count()
const until = (page, test, argument) => page.waitForFunction(test, argument, { timeout: LIMIT, polling: 50 })

const page = await tab()
await attempt('a link lets one browser in and leaves the address bar', async () => {
  await page.goto(config.links[0])
  await page.waitForSelector('table.services')
  check(!page.url().includes('login'), page.url())
  const cookies = await page.context().cookies(base + '/ui/')
  check(cookies.length === 1 && cookies[0].httpOnly && cookies[0].sameSite === 'Strict', JSON.stringify(cookies))
})
await attempt('a used link says how to get another', async () => {
  const other = await tab()
  await other.goto(config.links[0])
  await other.getByText('fairlead ui', { exact: true }).waitFor()
  check((await accessible(other)).length === 0, (await accessible(other)).join('; '))
  await other.context().close()
})
await attempt('a Service is a picture', async () => {
  await page.goto(base + '/ui/svc/default/hostnames')
  await until(page, () => document.querySelectorAll('.picture g[data-id^="endpoint "]').length === 3)
  check((await count(page, '.picture path[data-id^="split"]')) === 3, 'ribbons')
  check((await count(page, '#picture-table tbody tr')) === 3, 'table twin')
  await page.getByText('Rules', { exact: true }).first().waitFor()
})
await attempt('a stage opens a drawer by keyboard, which gives the focus back; the language changes below it', async () => {
  await page.focus('g[data-id="rule"]')
  await page.keyboard.press('Enter')
  await page.waitForSelector('dialog.drawer pre')
  await page.evaluate(() => document.querySelector('.tools button').click())
  await page.waitForFunction(() => document.documentElement.lang === 'zh-CN')
  check((await count(page, 'dialog.drawer[open]')) === 1, 'the drawer closed')
  await page.evaluate(() => document.querySelector('.tools button').click())
  await page.keyboard.press('Escape')
  await until(page, () => document.activeElement?.getAttribute('data-id') === 'rule')
})
await attempt('what is scaled is on the screen', async () => {
  const began = Date.now()
  kubectl('scale', 'deployment/hostnames', '--replicas=4')
  await until(page, () => document.querySelectorAll('.picture g[data-id^="endpoint "]').length === 4)
  return `${Date.now() - began} ms after kubectl began`
})
await attempt('a changed selector is on the screen within a second, with its reason and what to do', async () => {
  await page.evaluate(() => { window.seen = 0; new MutationObserver(() => { if (!window.seen && document.body.textContent.includes('FL102')) window.seen = Date.now() }).observe(document.body, { childList: true, subtree: true, characterData: true }) })
  kubectl('patch', 'svc', 'hostnames', '-p', '{"spec":{"selector":{"app":"hostname"}}}')
  const written = Date.now()
  await until(page, () => window.seen > 0)
  const after = (await page.evaluate(() => window.seen)) - written
  await until(page, () => document.querySelector('.picture [data-mark="rule"]') !== null)
  await page.getByText('kubectl patch svc hostnames').first().waitFor()
  kubectl('patch', 'svc', 'hostnames', '-p', '{"spec":{"selector":{"app":"hostnames"}}}')
  await until(page, () => document.querySelectorAll('.picture path[data-id^="split"]').length >= 4)
  return `${after} ms after kubectl ended`
})
await attempt('a trace shows its hops and where it came out', async () => {
  await page.goto(base + '/ui/trace?from=pod/default/client-0&to=svc/default/hostnames&port=80&how=send')
  await page.click('button[type=submit]')
  await page.waitForSelector('.hops button')
  check((await page.locator('.verdict').innerText()).includes('reached'), await page.locator('.verdict').innerText())
  await page.screenshot({ path: `${config.out}/trace.png` })
})
await attempt('keys do what they say, and are typed where one types', async () => {
  await page.goto(base + '/ui/')
  await page.waitForSelector('table.services a')
  await page.keyboard.press('/')
  await page.keyboard.type('hostnames')
  await until(page, () => {
    const names = [...document.querySelectorAll('table.services tbody tr[aria-rowindex]')].map((row) => row.textContent)
    return names.length >= 2 && names.every((text) => text.includes('hostnames'))
  })
  check(page.url().includes('q=hostnames'), page.url())
  await page.keyboard.press('Escape')
  await page.keyboard.press('y')
  check((await page.evaluate(() => navigator.clipboard.readText())) === 'fairlead explain -A', 'clipboard')
  await page.keyboard.press('?')
  await page.waitForSelector('dialog[open]')
  check((await accessible(page)).length === 0, (await accessible(page)).join('; '))
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.picture svg')
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await page.waitForFunction(() => location.pathname === '/ui/nodes')
  await page.keyboard.press('.')
  await page.getByText('paused').waitFor()
  await page.keyboard.press('.')
})

const pages = [
  ['/ui/', 'services', 'table.services tbody a'], ['/ui/svc/default/hostnames', 'service', '.picture svg'],
  ['/ui/svc/default/hostnames-headless', 'headless', '.picture svg'], ['/ui/svc/default/nothing', 'missing', 'main p'],
  ['/ui/trace', 'tracing', 'form'], ['/ui/rules/default/hostnames', 'rules', '.modes .rule'], ['/ui/dns?name=hostnames&from=client-0', 'names', 'table tbody tr'],
  ['/ui/nodes', 'nodes', 'table tbody tr'], ['/ui/history', 'history', '.changes li'], ['/ui/machine', 'machine', '.checks li'],
  ['/ui/learn', 'learn', '.tour li'], ['/ui/learn/FL102', 'code', '.help'], ['/ui/settings', 'settings', 'fieldset'], ['/ui/no/such', 'lost', 'h1'],
]
async function all(name, look, width, after) {
  await page.setViewportSize({ width, height: width < 500 ? 740 : 800 })
  await page.evaluate(([theme, language]) => { localStorage.setItem('fairlead.theme', theme); localStorage.setItem('fairlead.language', language) }, look)
  for (const [path, id, wait] of pages)
    await attempt(`${name}: ${id}`, async () => {
      await page.goto(base + path)
      await page.waitForSelector(wait)
      await after(id)
    })
}
await all('axe, light, English', ['light', 'en'], 1280, async (id) => {
  const found = await accessible(page)
  if (['services', 'service', 'rules', 'history'].includes(id)) { await page.waitForTimeout(id === 'history' ? 0 : 2500); await page.screenshot({ path: `${config.out}/${id}.png` }) }
  check(found.length === 0, found.join('; '))
})
await all('axe, dark, Chinese', ['dark', 'zh-CN'], 1280, async (id) => {
  const found = await accessible(page)
  if (id === 'service') await page.screenshot({ path: `${config.out}/service-dark-zh.png` })
  check(found.length === 0, found.join('; '))
})
await all('fits 360 px', ['light', 'zh-CN'], 360, async (id) => {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  if (id === 'service' || id === 'services') await page.screenshot({ path: `${config.out}/${id}-360.png` })
  check(wide <= 360, `${wide} px wide`)
})

// States that are hard to make: the server's answers are replaced in the browser.
const event = (topic, value) => `id: 0-1\nevent: snapshot\ndata: ${JSON.stringify({ topic, version: 1, value })}\n\n`
async function scripted(values) {
  const other = await tab()
  await other.context().addCookies(await page.context().cookies(base + '/ui/'))
  await other.route('**/ui/api/v1/stream**', (route) => {
    const topics = new URL(route.request().url()).searchParams.getAll('topic')
    const body = topics.map((t) => (values[t] === undefined ? '' : event(t, values[t]))).join('')
    return route.fulfill({ status: 200, contentType: 'text/event-stream', body: 'retry: 60000\n\n' + body })
  })
  return other
}
const counts = { serve: 0, attention: 0, dead: 0, none: 0 }
const row = (i, more = {}) => ({ key: `default/s${i}`, namespace: 'default', name: `s${i}`, type: 'ClusterIP', addresses: ['10.0.0.1'], ports: ['80→80'], ready: 1, selected: 1, state: 'serve', why: null, ...more })
await attempt('empty: what to type', async () => {
  const other = await scripted({ services: { items: {}, order: [], total: 0, counts, forbidden: false, loading: false } })
  await other.goto(base + '/ui/')
  await other.getByText('kubectl apply -f examples/hostnames.yaml').waitFor()
  check((await accessible(other)).length === 0, (await accessible(other)).join('; '))
  await other.context().close()
})
await attempt('forbidden: which verb and resource', async () => {
  const other = await scripted({ 'service:shop/x': { namespace: 'shop', name: 'x', forbidden: { verb: 'get', resource: 'services', namespace: 'shop' } } })
  await other.goto(base + '/ui/svc/shop/x')
  await other.getByText('You may not get services in shop.').waitFor()
  check((await accessible(other)).length === 0, (await accessible(other)).join('; '))
  await other.context().close()
})
await attempt('text of others stays text', async () => {
  const evil = '<img src=x onerror="window.hit=1">'
  const other = await scripted({ services: { items: { 'default/s1': row(1, { name: evil, why: { key: evil, values: {}, code: 'FL102' }, state: 'dead' }) }, order: ['default/s1'], total: 1, counts, forbidden: false, loading: false } })
  await other.goto(base + '/ui/')
  await other.getByText(evil).first().waitFor()
  check((await other.evaluate(() => window.hit)) === undefined && (await count(other, 'main img')) === 0, 'a script ran')
  await other.context().close()
})
await attempt('stale: values stay, with since when', async () => {
  const other = await scripted({ services: { items: { 'default/s1': row(1) }, order: ['default/s1'], total: 1, counts: { ...counts, serve: 1 }, forbidden: false, loading: false } })
  await other.goto(base + '/ui/')
  await other.locator('main.stale').waitFor()
  await other.getByText('last heard').first().waitFor()
  check((await count(other, 'table.services a[data-row]')) === 1, 'the values went')
  check((await accessible(other)).length === 0, (await accessible(other)).join('; '))
  await other.context().close()
})
await attempt('a thousand Services: a window of them is in the page', async () => {
  const items = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`default/s${i}`, row(i)]))
  const other = await scripted({ services: { items, order: Object.keys(items), total: 1000, counts: { ...counts, serve: 1000 }, forbidden: false, loading: false } })
  await other.goto(base + '/ui/')
  await other.waitForSelector('table.services[aria-rowcount="1000"]')
  check((await count(other, 'table.services tbody tr[aria-rowindex]')) === 200, 'rows')
  const high = await other.evaluate(() => document.querySelector('table.services').getBoundingClientRect().height)
  check(high > 27_000 && high < 30_000, `${high} px`)
  await other.context().close()
})
await attempt('error: a sentence and another try', async () => {
  const other = await scripted({})
  await other.route('**/ui/api/v1/doctor**', (route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{"reason":"InternalError","message":"on purpose"}' }))
  await other.goto(base + '/ui/machine')
  await other.getByText('on purpose').waitFor()
  await other.unroute('**/ui/api/v1/doctor**')
  await other.getByText('Try again').click()
  await other.waitForSelector('.checks li')
  await other.context().close()
})
await attempt('nothing was asked elsewhere, refused by policy, or thrown', async () => {
  const left = problems.filter((p) => !p.includes('500 (') && !p.includes('on purpose'))
  check(left.length === 0, left.slice(0, 5).join('\n'))
})
await browser.close()
