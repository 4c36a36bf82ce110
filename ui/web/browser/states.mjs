// States of the page that are hard to make with a cluster, against a host whose values the test sets:
// node browser/states.mjs CONFIG.json. Prints one line of JSON for each thing it tried. Vectors are those of the specification.
import { readFileSync } from 'node:fs'
import { accessible, attempt, check, count, launch, until, Visitor } from './harness.mjs'
import { DETAIL, FLOWS, LIST, ROW, ScriptedHost, WORD } from './scripted.mjs'

const config = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const browser = await launch(config.chromium)
const KEY = 'default/hostnames'
const visitors = []

/** A host with values, a tab that looks at it, and the end of both. */
async function scene(values, work, options = {}) {
  const host = await new ScriptedHost().start()
  for (const [topic, value] of Object.entries(values)) host.values.set(topic, value)
  const visitor = new Visitor(browser, host.base)
  visitors.push(visitor)
  const page = await visitor.tab(options)
  try {
    return await work(page, host, visitor)
  } finally {
    await page.context().close()
    host.close()
  }
}
const service = (endpoints = 3, more = {}) => ({ [`service:${KEY}`]: DETAIL(endpoints, more), [`flows:${KEY}`]: FLOWS(endpoints), [`history:${KEY}`]: { apiAlone: false, changes: {}, order: [] } })
const LOOKS = [['light', 'en'], ['dark', 'zh-CN'], ['light', 'zh-CN'], ['dark', 'en']]
/** axe in both colour schemes and both languages. */
async function everyLook(page, ready) {
  for (const [theme, language] of LOOKS) {
    await page.evaluate(([a, b]) => { localStorage.setItem('fairlead.theme', a); localStorage.setItem('fairlead.language', b) }, [theme, language])
    await page.reload()
    await ready()
    check(await page.evaluate(([a, b]) => document.documentElement.dataset.theme === a && document.documentElement.lang === b, [theme, language]), 'the look did not change')
    await accessible(page)
  }
}
const wide = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

await attempt('vector 17: without a session the page says what to run', () => scene({}, async (page, host) => {
  host.session = null
  await page.goto(host.base + '/ui/')
  await page.getByText('fairlead ui', { exact: true }).waitFor()
  check((await count(page, 'table')) === 0, 'data is shown')
  await everyLook(page, () => page.getByText('fairlead ui', { exact: true }).waitFor())
}))
await attempt('vector 39: loading keeps the layout, and says after two seconds what it waits for', () => scene({}, async (page, host) => {
  await page.goto(host.base + '/ui/svc/default/hostnames')
  await page.waitForSelector('.loading .grey')
  check(!(await page.locator('.loading').innerText()).includes('waiting'), 'at once')
  await page.getByText('waiting for default/hostnames').waitFor()
  await everyLook(page, () => page.waitForSelector('.loading .grey'))
}))
await attempt('vector 39: empty shows the manifest to copy', () => scene({ services: LIST([]), rates: { unseen: true, rates: {} } }, async (page, host) => {
  await page.goto(host.base + '/ui/')
  await page.getByText('kubectl apply -f examples/hostnames.yaml').waitFor()
  await page.locator('pre', { hasText: 'kind: Deployment' }).waitFor()
  await page.locator('.copy', { hasText: 'kind: Deployment' }).getByRole('button').click()
  check((await page.evaluate(() => navigator.clipboard.readText())).includes('image: fairlead.dev/hostnames'), 'clipboard')
  await everyLook(page, () => page.locator('pre', { hasText: 'kind: Deployment' }).waitFor())
}))
await attempt('vector 25: forbidden names verb and resource', () => scene({
  'service:shop/x': { namespace: 'shop', name: 'x', forbidden: { verb: 'get', resource: 'services', namespace: 'shop' } },
  services: LIST([ROW(1)], { forbidden: true }),
}, async (page, host) => {
  await page.goto(host.base + '/ui/')
  await page.getByText('you may not list Services there').waitFor()
  await page.goto(host.base + '/ui/svc/shop/x')
  await page.getByText('You may not get services in shop.').waitFor()
  await everyLook(page, () => page.waitForSelector('.trouble'))
}))
await attempt('vector 26: who may not send packets is told so, and the model works', () => scene({}, async (page, host) => {
  host.session.rights.trace = false
  host.documents.set('pods', { items: [] }).set('services', LIST([])).set('traces', { command: 'fairlead trace pod/a to svc/b --model', exit: 0, error: '', document: { result: 'wouldReach', code: null, hops: [{ n: 1, place: 'pod', text: 'starts' }] } })
  await page.goto(host.base + '/ui/trace?from=pod/default/a&to=svc/default/b&how=send')
  await page.getByText('needs the right to create nodes/insight').waitFor()
  check(await page.locator('button[type=submit]').isDisabled(), 'Run is not disabled')
  check(await page.locator('input[value=send]').isDisabled(), 'sending is not disabled')
  await page.locator('input[value=model]').check()
  await page.locator('button[type=submit]').click()
  await page.waitForSelector('.hops button')
}))
await attempt('vector 39: an error is a sentence, a code, a next step, and another try', () => scene({}, async (page, host) => {
  host.documents.set('doctor', { status: 500, reason: 'InternalError', message: 'on purpose' })
  await page.goto(host.base + '/ui/machine')
  await page.getByText('on purpose').waitFor()
  await page.getByText('500 InternalError').waitFor()
  await page.getByText('the log of the server says more').waitFor()
  await everyLook(page, () => page.getByText('on purpose').waitFor())
  host.documents.set('doctor', { command: 'fairlead doctor', exit: 0, error: '', document: { verdict: 'fine', findings: [{ group: 'Kernel', state: 'ok', message: 'is new enough' }] } })
  await page.locator('.trouble button').last().click()
  await page.waitForSelector('.checks li')
}))
await attempt('vector 23: what others write stays text', () => scene({}, async (page, host, visitor) => {
  const evil = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>'
  host.values.set('services', LIST([ROW(1, { name: evil, state: 'dead', why: { ...WORD(evil), code: 'FL102' } })])).set('service:default/s1', DETAIL(2, { selector: evil, explanation: { verdict: 'Broken', first: { ...WORD(evil), code: 'FL102' }, rows: [{ name: evil, state: 'fault', source: 'api', code: '', items: [], findings: [], ...WORD(evil) }] } }))
  await page.goto(host.base + '/ui/')
  await page.getByText(evil).first().waitFor()
  await page.goto(host.base + '/ui/svc/default/s1')
  await page.getByText(evil).first().waitFor()
  check((await page.evaluate(() => window.hit)) === undefined && (await count(page, 'main img, main script')) === 0, 'a script ran')
  check(visitor.problems.length === 0, visitor.problems.join('; '))
}))
await attempt('the policy stops what would run if a script were written in', () => scene({ services: LIST([ROW(1)]) }, async (page, host, visitor) => {
  await page.goto(host.base + '/ui/')
  await page.waitForSelector('table.services')
  const refused = await page.evaluate(async () => {
    const seen = []
    document.addEventListener('securitypolicyviolation', (e) => seen.push(e.effectiveDirective))
    const tried = (work) => { try { work(); return 'ran' } catch { return 'refused' } }
    const html = tried(() => { document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.hit=1">') })
    const source = tried(() => { document.createElement('script').text = 'window.hit=1' })
    // Later: what runs in the debugger's own call may evaluate text.
    const text = await new Promise((done) => setTimeout(() => done(tried(() => { window.eval('window.hit=1') }))))
    const policy = tried(() => { window.trustedTypes.createPolicy('mine', { createHTML: (x) => x }) })
    const script = document.createElement('script')
    script.append('window.hit=1')
    document.body.append(script)
    await fetch('http://127.0.0.2:9/').catch(() => seen.push('fetch failed'))
    await new Promise((done) => setTimeout(done, 300))
    return { html, source, text, policy, hit: window.hit ?? 0, seen }
  })
  visitor.problems.length = 0
  check(refused.html === 'refused' && refused.source === 'refused' && refused.text === 'refused' && refused.policy === 'refused' && refused.hit === 0, JSON.stringify(refused))
  for (const rule of ['connect-src', 'trusted-types', 'require-trusted-types-for']) check(refused.seen.includes(rule), JSON.stringify(refused.seen))
}))
await attempt('vector 27: a stream that is cut for five seconds goes on where it was', () => scene(service(), async (page, host) => {
  await page.goto(host.base + '/ui/svc/default/hostnames')
  await until(page, () => document.querySelectorAll('.picture g[data-id^="endpoint "]').length === 3)
  const before = host.counted.snapshots
  host.cut()
  for (let i = 1; i <= 30; i++) {
    host.change(`service:${KEY}`, { 'row/ready': i % 4, [`ports/http/endpoints/10.244.1.${i + 3}:9376`]: { ...DETAIL(1).ports.http.endpoints['10.244.1.1:9376'], pod: `late-${i}` }, 'ports/http/order': Array.from({ length: Math.min(i, 5) + 3 }, (_, j) => `10.244.1.${j + 1}:9376`) })
    await page.waitForTimeout(5000 / 30)
  }
  await page.getByText('last heard').first().waitFor()
  const back = Date.now()
  host.down = false
  await until(page, () => document.querySelectorAll('.picture g[data-id^="endpoint "]').length === 8)
  const took = Date.now() - back
  check(host.counted.snapshots === before, 'a snapshot was sent')
  const now = await page.locator('.picture svg').innerHTML()
  await page.reload()
  await until(page, () => document.querySelectorAll('.picture g[data-id^="endpoint "]').length === 8)
  const ids = (html) => [...html.matchAll(/data-id="([^"]+)"/g)].map((m) => m[1]).sort().join()
  check(ids(now) === ids(await page.locator('.picture svg').innerHTML()), 'another picture after a reload')
  check(took <= 2500, `${took} ms`)
  return `${took} ms`
}))
await attempt('vector 28: after a restart of the host the values stay, as old, and the page says how to get in', () => scene({ services: LIST([ROW(1)]) }, async (page, host) => {
  await page.goto(host.base + '/ui/')
  await page.waitForSelector('table.services')
  host.cut()
  await page.locator('main.stale').waitFor()
  host.session = null
  host.down = false
  await page.getByText('Run fairlead ui for a new link').waitFor()
  check((await count(page, 'table.services a[data-row]')) === 1, 'the values went')
  check((await page.getByText('last heard').count()) + (await page.getByText('Values are those of').count()) > 0, 'since when')
  await accessible(page)
}))
await attempt('a host that hangs is noticed after 25 seconds, though the connection stands', () => scene({ services: LIST([ROW(1)]) }, async (page, host) => {
  await page.clock.install()
  await page.goto(host.base + '/ui/')
  await page.waitForSelector('table.services')
  host.silent = true
  await page.clock.fastForward(24_000)
  check((await count(page, 'main.stale')) === 0, 'too early')
  await page.clock.fastForward(2_000)
  await page.locator('main.stale').waitFor()
  check((await count(page, 'table.services a[data-row]')) === 1, 'the values went')
}))
await attempt('where no stream comes through, values are asked for', () => scene({}, async (page, host) => {
  await page.route('**/ui/api/v1/stream**', (route) => route.abort())
  host.documents.set('services', LIST([ROW(1)]))
  await page.goto(host.base + '/ui/')
  await page.waitForSelector('table.services a[data-row]')
}))
await attempt('vector 30: of seven tabs each works when seen, and hidden ones hold no stream', () => scene(service(), async (page, host, visitor) => {
  const tabs = [page]
  await page.clock.install()
  for (let i = 1; i < 7; i++) {
    const other = visitor.watched(await page.context().newPage())
    await other.clock.install()
    tabs.push(other)
  }
  const show = (tab, state) => tab.evaluate((s) => { Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => s }); document.dispatchEvent(new Event('visibilitychange')) }, state)
  for (const tab of tabs) {
    await tab.goto(host.base + '/ui/svc/default/hostnames')
    await tab.waitForSelector('.picture svg')
    await show(tab, 'hidden')
    await tab.clock.fastForward(11_000)
  }
  await page.waitForTimeout(300)
  check(host.streams.size === 0, `${host.streams.size} streams`)
  host.change(`service:${KEY}`, { 'row/ready': 1 })
  for (const tab of tabs) {
    await show(tab, 'visible')
    await tab.getByText('1 of 3 pods serve').first().waitFor()
    await show(tab, 'hidden')
    await tab.clock.fastForward(11_000)
  }
}))
const thousand = () => {
  const all = Array.from({ length: 1000 }, (_, i) => ROW(i, i % 100 === 0 ? { state: 'dead', why: { ...WORD('FL102'), code: 'FL102' } } : {}))
  return (topic) => {
    const query = new URLSearchParams(topic.split('?')[1] ?? '')
    const found = query.get('q') === 'code:FL102' ? all.filter((r) => r.why) : all
    const offset = Number(query.get('offset') ?? 0)
    return { ...LIST(found.slice(offset, offset + 200)), total: found.length }
  }
}
await attempt('vector 31: of a thousand Services a window is in the page; the filter and the end are reached', () => scene({ 'services*': thousand(), rates: { unseen: true, rates: {} } }, async (page, host) => {
  await page.goto(host.base + '/ui/')
  await page.waitForSelector('table.services[aria-rowcount="1000"]')
  const rows = () => count(page, 'table.services tbody tr[aria-rowindex]')
  check((await rows()) === 200, 'rows')
  const high = await page.evaluate(() => document.querySelector('table.services').getBoundingClientRect().height)
  check(high > 27_000 && high < 30_000, `${high} px`)
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await until(page, () => document.querySelector('tr[aria-rowindex="1000"]')?.textContent.includes('s999'))
  check((await rows()) <= 200, 'too many rows')
  await page.evaluate(() => window.scrollTo(0, 0))
  await page.keyboard.press('/')
  await page.keyboard.type('code:FL102')
  await page.waitForSelector('table.services[aria-rowcount="10"]')
  check((await rows()) === 10 && page.url().includes('code%3AFL102'), page.url())
}))
await attempt('vector 32: what one reads stays where it is while the order changes', () => scene({ services: LIST(Array.from({ length: 200 }, (_, i) => ROW(i))), rates: { unseen: true, rates: {} } }, async (page, host) => {
  await page.goto(host.base + '/ui/')
  await page.waitForSelector('tr[aria-rowindex="150"]')
  await page.evaluate(() => document.querySelector('tr[aria-rowindex="150"]').scrollIntoView({ block: 'center' }))
  const read = () => page.evaluate(() => { const row = document.querySelector('tr[aria-rowindex="150"]'); return [row.querySelector('th').textContent, Math.round(row.getBoundingClientRect().top)].join(' ') })
  const before = await read()
  const order = host.values.get('services').order
  host.change('services', { 'items/default~1s180/state': 'dead', order: ['default/s180', ...order.filter((k) => k !== 'default/s180')] })
  await page.getByText('The order has changed.').waitFor()
  // The note stands above the table; browsers anchor what is read.
  const after = await read()
  check(after.split(' ')[0] === before.split(' ')[0] && Math.abs(Number(after.split(' ')[1]) - Number(before.split(' ')[1])) <= 2, `${before} became ${after}`)
  check((await page.locator('tr', { hasText: 's180' }).innerText()).includes('moved'), 'not marked')
  await page.keyboard.press('s')
  await until(page, () => document.querySelector('tr[aria-rowindex="1"]')?.textContent.includes('s180'))
}))
await attempt('vector 35: a silent node keeps its last values, marked as old', () => {
  const node = (name) => ({ name, ready: true, address: '192.0.2.1', proxyAlive: true, written: '41', mode: 'nftables', version: '0.1.0', kernel: '6.1', syncs: { at: new Date().toISOString(), tookMillis: 3, writes: 1 } })
  return scene({ nodes: { items: { a: node('a'), c: node('c') }, order: ['a', 'c'] } }, async (page, host) => {
    await page.goto(host.base + '/ui/nodes')
    await page.locator('tr', { hasText: 'nftables' }).nth(1).waitFor()
    host.change('nodes', { 'items/c/unseen': 'NO_ANSWER' }, ['items/c/mode', 'items/c/version', 'items/c/kernel', 'items/c/syncs'])
    const old = page.locator('tr.old')
    await old.waitFor()
    const cells = await old.locator('td').allInnerTexts()
    check(cells[0].includes('last heard') && cells[1] === 'nftables' && cells[2] === '41', cells.join('|'))
    check((await count(page, 'tr.old')) === 1, 'others are old, too')
    await everyLook(page, () => page.waitForSelector('tbody tr'))
  })
})
await attempt('paused: the picture stands still and counts what waits', () => scene(service(), async (page, host) => {
  await page.goto(host.base + '/ui/svc/default/hostnames')
  await page.waitForSelector('.picture svg')
  await page.keyboard.press('.')
  host.change(`service:${KEY}`, { 'row/ready': 2 })
  await page.getByText('paused, 1 changes waiting').waitFor()
  check((await page.getByText('2 of 3 pods serve').count()) === 0, 'it moved')
  await accessible(page)
  await page.keyboard.press('.')
  await page.getByText('2 of 3 pods serve').first().waitFor()
}))
await attempt('vector 46: a change is tried first and applied by its own button; without the right there is none', () => scene(service(3, {
  patchable: true, explanation: { verdict: 'Broken', first: { key: 'FL102', code: 'FL102', severity: 'FAULT', values: { name: 'hostnames', namespace: 'default', patch: '{"app":"hostnames"}' } }, rows: [] },
}), async (page, host) => {
  host.documents.set('changes', () => ({ after: { spec: { selector: { app: 'hostnames' } } } }))
  const sent = []
  page.on('request', (r) => { if (r.url().endsWith('/changes')) sent.push(JSON.parse(r.postData())) })
  await page.goto(host.base + '/ui/svc/default/hostnames')
  await page.getByText('kubectl patch svc hostnames').waitFor()
  check((await count(page, '.remedy')) === 0, 'offered by a host that writes nothing')
  host.session.writes = true
  await page.reload()
  await page.getByRole('button', { name: 'Try this change' }).click()
  await page.getByText('app=hostnames').last().waitFor()
  await accessible(page)
  check(sent.length === 1 && sent[0].dryRun === true, JSON.stringify(sent))
  await page.getByRole('button', { name: 'Apply it' }).click()
  await page.getByText('Changed. The picture follows.').waitFor()
  check(sent.length === 2 && sent[1].dryRun === false && sent[1].selector.app === 'hostnames', JSON.stringify(sent))
  host.change(`service:${KEY}`, { patchable: false })
  await until(page, () => document.querySelector('.remedy') === null)
}))
await attempt('hops are shown as they come, and the answer when it is there', () => scene({}, async (page, host) => {
  const hop = (n, place) => ({ n, node: 'a', place, via: 'nft trace', text: `${place} says ${n}` })
  const go = []
  const step = () => new Promise((done) => go.push(done))
  host.documents.set('pods', { items: [] }).set('services', LIST([])).set('traces', () => ({ lines: async (write) => {
    write({ hops: [hop(1, 'pod')] })
    await step()
    write({ hops: [hop(1, 'pod'), hop(2, 'raw'), hop(3, 'nat')] })
    await step()
    write({ answer: { command: 'fairlead trace pod/a to svc/b -n default', exit: 3, error: '', document: { result: 'noAnswer', code: 'FL188', decisiveHop: 4, hops: [hop(1, 'pod'), hop(2, 'raw'), hop(3, 'nat'), hop(4, 'remote')] } } })
  } }))
  await page.goto(host.base + '/ui/trace?from=pod/default/a&to=svc/default/b&how=send')
  await page.locator('button[type=submit]').click()
  await page.getByText('On its way: 1 hops so far').waitFor()
  check((await count(page, '.hops button')) === 1 && (await count(page, '.verdict strong')) === 0, 'more is shown than is known')
  await accessible(page)
  go.shift()()
  await page.getByText('On its way: 3 hops so far').waitFor()
  await page.getByText('nat says 3').waitFor()
  go.shift()()
  await page.getByText('noAnswer FL188').waitFor()
  check((await count(page, '.hops button')) === 4 && (await page.locator('.hops button[aria-pressed=true]').innerText()).includes('remote'), 'the decisive hop')
  check((await page.getByText('On its way').count()) === 0, 'still on its way')
}))
const NODE = (name) => ({ name, ready: true, address: '192.0.2.1', proxyAlive: true, written: '41', mode: 'nftables', version: '0.1.0', kernel: '6.1', syncs: { at: new Date().toISOString(), tookMillis: 3, writes: 1 } })
await attempt('repair and mode: without the right there is the command alone', () => scene({ nodes: { items: { a: NODE('a') }, order: ['a'] } }, async (page, host) => {
  await page.goto(host.base + '/ui/nodes')
  await page.locator('summary').click()
  await page.getByText('kubectl delete pod -n kube-system kube-proxy-a').waitFor()
  check((await count(page, 'main select')) === 0 && (await page.getByText('Repair…').count()) === 0, 'a control is drawn')
  await everyLook(page, () => page.waitForSelector('tbody tr'))
}))
await attempt('repair and mode: tried first, never by Enter alone, with the way back', () => scene({ nodes: { items: { a: NODE('a'), b: NODE('b') }, order: ['a', 'b'] } }, async (page, host) => {
  host.session.writes = true
  host.session.rights = { trace: true, repair: true, mode: true }
  host.documents.set('changes', () => ({ pods: ['kube-proxy-a'], was: 'nftables', mode: 'iptables' })).set('simulations', { command: 'fairlead simulate --mode=iptables', exit: 0, error: '', document: null, text: '3 Services would keep their connections' })
  const sent = []
  page.on('request', (r) => { if (r.url().endsWith('/changes')) sent.push(JSON.parse(r.postData())) })
  await page.goto(host.base + '/ui/nodes')
  const repair = page.getByRole('button', { name: 'Repair the rules of node a' })
  await repair.focus()
  await page.keyboard.press('Enter')
  await page.getByText('The API server would take it. Concerns: kube-proxy-a').waitFor()
  check((await page.locator('dialog code, dialog pre').first().innerText()).includes('kubectl delete pod -n kube-system kube-proxy-a'), 'no command')
  await accessible(page)
  await page.keyboard.press('Enter')
  await until(page, () => document.querySelector('dialog') === null)
  check(sent.length === 1 && sent[0].dryRun === true && sent[0].node === 'a', JSON.stringify(sent))
  check(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') === 'Repair the rules of node a'), 'the focus went elsewhere')
  await page.locator('main select').selectOption('iptables')
  await page.getByRole('button', { name: 'Change…' }).click()
  await page.getByText('3 Services would keep their connections').waitFor()
  check(sent.length === 2 && sent[1].dryRun === true, JSON.stringify(sent))
  await accessible(page)
  await page.getByRole('button', { name: 'Apply it' }).click()
  await page.getByText('Asked for. Concerns').waitFor()
  check(sent.length === 3 && sent[2].dryRun === false && sent[2].mode === 'iptables', JSON.stringify(sent))
  await page.getByRole('button', { name: 'Undo: fairlead mode nftables' }).click()
  await until(page, () => [...document.querySelectorAll('dialog button')].every((b) => !b.textContent.includes('Undo')))
  check(sent.length === 4 && sent[3].dryRun === false && sent[3].mode === 'nftables', JSON.stringify(sent))
  await page.evaluate(() => localStorage.setItem('fairlead.language', 'zh-CN'))
  await page.reload()
  await page.getByRole('button', { name: '修复节点 a 的规则' }).click()
  await page.getByText('API 服务器会接受').waitFor()
  await page.setViewportSize({ width: 360, height: 740 })
  await accessible(page)
  check((await wide(page)) <= 0, `${await wide(page)} px too wide`)
}))
await attempt('repair and mode: what the API refuses is said, and nothing can be applied', () => scene({ nodes: { items: { a: NODE('a') }, order: ['a'] } }, async (page, host) => {
  host.session.writes = true
  host.session.rights = { trace: true, repair: true, mode: true }
  host.documents.set('changes', { status: 403, reason: 'Forbidden', message: 'pods "kube-proxy-a" is forbidden' })
  await page.goto(host.base + '/ui/nodes')
  await page.getByRole('button', { name: 'Repair the rules of node a' }).click()
  await page.getByText('pods "kube-proxy-a" is forbidden').waitFor()
  check((await page.getByRole('button', { name: 'Apply it' }).count()) === 0, 'it can be applied')
}))
await attempt('learn: what the modules teach is there, before their code, with drawings as they are', () => scene({ services: LIST([]), nodes: { items: {}, order: [] } }, async (page, host) => {
  await page.goto(host.base + '/ui/learn')
  await page.locator('a[href="/ui/learn/module-kernel"]').click()
  await page.getByText('Netlink in five minutes').waitFor()
  await page.locator('pre.drawing', { hasText: 'length │ type' }).waitFor()
  check((await page.getByText('How it is tested').count()) === 0, 'more than is taught')
  for (const name of ['proxy', 'dns', 'controller', 'policy', 'agent']) {
    await page.goto(host.base + '/ui/learn/module-' + name)
    await page.waitForSelector('.story p')
    await accessible(page)
  }
  await page.setViewportSize({ width: 360, height: 740 })
  check((await wide(page)) <= 0, `${await wide(page)} px too wide`)
  await everyLook(page, () => page.waitForSelector('.story p'))
}))
await attempt('vector 12: what is removed stays ten seconds as a ghost, then its row closes', () => scene(service(), async (page, host) => {
  await page.clock.install()
  await page.goto(host.base + '/ui/svc/default/hostnames')
  await page.waitForSelector('.picture svg')
  const x = () => page.evaluate(() => [...document.querySelectorAll('.picture g.box rect')].map((r) => r.getAttribute('x')).join())
  const before = await x()
  host.change(`service:${KEY}`, { 'ports/http/order': ['10.244.1.1:9376', '10.244.1.3:9376'] }, ['ports/http/endpoints/10.244.1.2:9376'])
  await page.waitForSelector('.picture [data-mark="pod 10.244.1.2:9376"].mark-gone')
  await page.locator('#picture-table', { hasText: 'removed' }).waitFor({ state: 'attached' })
  check((await x()) === before, 'boxes moved sideways')
  await page.clock.fastForward(10_500)
  await until(page, () => document.querySelectorAll('.picture g[data-id^="endpoint "]').length === 2)
}))
await attempt('the live region says a change of state once, politely', () => scene(service(), async (page, host) => {
  await page.goto(host.base + '/ui/svc/default/hostnames')
  await page.waitForSelector('.picture svg')
  await page.evaluate(() => { window.said = []; new MutationObserver(() => { const text = document.querySelector('[aria-live=polite].hidden').textContent; if (text) window.said.push(text) }).observe(document.querySelector('[aria-live=polite].hidden'), { childList: true, characterData: true, subtree: true }) })
  host.change(`service:${KEY}`, { 'row/ready': 2 })
  host.change(`flows:${KEY}`, { 'ports/http/newPerSecond': 40 })
  await until(page, () => window.said.length > 0)
  await page.waitForTimeout(500)
  check(JSON.stringify(await page.evaluate(() => window.said)) === '["hostnames: 2 of 3 pods serve"]', JSON.stringify(await page.evaluate(() => window.said)))
}))

const EVERY = [
  ['/ui/', 'table.services'], ['/ui/svc/default/hostnames', '.picture svg'], ['/ui/trace', 'form'], ['/ui/rules/default/hostnames', '.modes .rule'], ['/ui/dns?name=hostnames', 'table tbody tr'],
  ['/ui/nodes', 'table tbody tr'], ['/ui/history', '.changes li'], ['/ui/machine', '.checks li'], ['/ui/learn', '.tour li'], ['/ui/learn/walk-1', '.story pre'], ['/ui/learn/FL102', '.help'], ['/ui/settings', 'fieldset'],
]
const everything = (host) => {
  host.values.set('services', LIST([ROW(1), ROW(2, { state: 'dead', ready: 0, why: { ...WORD('FL102'), code: 'FL102' } })])).set('rates', { unseen: false, rates: { 'default/s1': 3 } })
    .set('nodes', { items: { a: { name: 'a', ready: true, address: '192.0.2.1', proxyAlive: true, written: '41', mode: 'nftables' } }, order: ['a'] })
    .set('history', { apiAlone: false, order: ['1'], changes: { 1: { at: new Date().toISOString(), kind: 'endpoint', service: KEY, user: 'x', what: WORD('a'), why: WORD('b'), sliceMillis: 10, nodes: [{ node: 'a', state: 'written', millis: 40, receivedMillis: 20 }] } } })
  host.documents.set('pods', { items: [] }).set('services', LIST([]))
    .set('services/default/hostnames/rules', { command: 'fairlead rules', exit: 0, error: '', document: { active: 'nftables', ports: [{ name: 'http', fronts: [{ kind: 'ClusterIP', address: '10.96.0.1', port: 80, verdict: 'forward', backends: ['10.244.1.1:9376'] }], unused: [] }], modes: [{ mode: 'nftables', family: 'IPv4', active: true, connections: 3, rules: ['10.96.0.1 . tcp . 80 : 10.244.1.1 . 9376'] }] } })
    .set('dns', { command: 'fairlead dns', exit: 0, error: '', document: { server: '10.96.0.10', queries: [{ name: 'hostnames.default.svc.cluster.local.', type: 'A', rcode: 'NOERROR', micros: 300, answers: [{ owner: 'x', type: 'A', data: '10.96.0.1', ttl: 5 }] }] } })
    .set('doctor', { command: 'fairlead doctor', exit: 0, error: '', document: { verdict: 'fine', findings: [{ group: 'Kernel', state: 'ok', message: 'is new enough' }] } })
    .set('help/FL102', { command: 'fairlead help FL102', exit: 0, error: '', document: null, text: 'The selector matches no pod.' })
}
for (const [path, ready] of EVERY)
  await attempt(`vector 39: axe on ${path}, both languages, both colour schemes`, () => scene(service(), async (page, host) => {
    everything(host)
    await page.goto(host.base + path)
    await page.waitForSelector(ready)
    await everyLook(page, () => page.waitForSelector(ready))
  }))
await attempt('vector 37: keys do what they say on every page, and are typed where one types', () => scene(service(), async (page, host) => {
  everything(host)
  for (const [path, ready] of EVERY) {
    await page.goto(host.base + path)
    await page.waitForSelector(ready)
    await page.keyboard.press('?')
    await page.waitForSelector('dialog[open]')
    await page.keyboard.press('g')
    await page.keyboard.press('Escape')
    await until(page, () => document.querySelector('dialog[open]') === null)
    await page.keyboard.press('.')
    await page.getByText('paused').first().waitFor()
    await page.keyboard.press('.')
    const inputs = page.locator('main input:not([type]), main input[type=search]')
    if ((await inputs.count()) > 0) {
      await inputs.first().fill('')
      await inputs.first().focus()
      await page.keyboard.type('/jket.?sygr')
      check((await inputs.first().inputValue()) === '/jket.?sygr', `${path}: ${await inputs.first().inputValue()}`)
      check((await count(page, 'dialog[open]')) === 0 && new URL(page.url()).pathname === new URL(host.base + path).pathname, `${path}: a key acted while it was typed`)
      await page.keyboard.press('Escape')
      check(await page.evaluate(() => document.activeElement === document.body || document.activeElement.tagName !== 'INPUT'), 'Escape leaves the field')
    }
    await page.keyboard.press('j')
    if ((await count(page, 'main [data-row]')) > 0) check(await page.evaluate(() => document.activeElement.matches('[data-row]')), `${path}: j`)
  }
  await page.goto(host.base + '/ui/svc/default/hostnames')
  await page.waitForSelector('.picture svg')
  for (const [key, where] of [['t', '/ui/trace'], ['r', '/ui/rules/default/hostnames']]) {
    await page.keyboard.press(key)
    await until(page, (path) => location.pathname === path, where)
    await page.keyboard.press('Escape')
    await until(page, () => location.pathname === '/ui/svc/default/hostnames')
    await page.waitForSelector('.picture svg')
  }
  for (const [key, where] of [['t', '/ui/trace'], ['r', '/ui/rules'], ['n', '/ui/dns'], ['o', '/ui/nodes'], ['i', '/ui/history'], ['m', '/ui/machine'], ['l', '/ui/learn'], ['s', '/ui/']]) {
    await page.keyboard.press('g')
    await page.keyboard.press(key)
    await until(page, (path) => location.pathname === path, where)
  }
}))
await attempt('vector 38: y copies a command on every page', () => scene(service(), async (page, host) => {
  everything(host)
  for (const [path, ready] of EVERY.filter(([p]) => p !== '/ui/settings')) {
    await page.goto(host.base + path)
    await page.waitForSelector(ready)
    await page.evaluate(() => navigator.clipboard.writeText(''))
    await page.keyboard.press('y')
    await until(page, async () => (await navigator.clipboard.readText()).startsWith('fairlead '))
    check((await page.locator('footer .command').innerText()).includes(await page.evaluate(() => navigator.clipboard.readText())), path)
  }
}))
await attempt('no link puts more into a command than one word', () => scene({}, async (page, host) => {
  everything(host)
  for (const path of ['/ui/dns?name=$(reboot)&from=a;b', '/ui/history?svc=default/x;reboot', '/ui/trace?from=pod/default/a;b&to=svc/default/$(x)&how=model', '/ui/?q=$(reboot);x', '/ui/svc/default/a;reboot']) {
    await page.goto(host.base + path)
    await page.waitForSelector('h1')
    const command = (await count(page, 'footer .command code')) === 0 ? '' : await page.locator('footer .command code').innerText()
    check(!/[;$`|]/.test(command.replace(/'[^']*'/g, '').replace(/ \| grep/g, '')), `${path}: ${command}`)
  }
}))
await attempt('vector 40: 360 px, 400 % zoom and wider letters lose nothing and scroll no page sideways', () => scene(service(), async (page, host) => {
  everything(host)
  const looks = [[360, ''], [320, ''], [1280, '* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important; line-height: 1.5 !important }']]
  for (const [width, spacing] of looks) {
    await page.setViewportSize({ width, height: 640 })
    for (const language of ['en', 'zh-CN'])
      for (const [path, ready] of EVERY) {
        await page.goto(host.base + path)
        await page.evaluate((l) => localStorage.setItem('fairlead.language', l), language)
        await page.reload()
        await page.waitForSelector(ready)
        if (spacing) await page.evaluate((css) => { const sheet = new CSSStyleSheet(); sheet.replaceSync(css); document.adoptedStyleSheets = [sheet] }, spacing)
        check((await wide(page)) <= 0, `${path} at ${width} px in ${language}: ${await wide(page)} px too wide`)
      }
  }
}))
await attempt('vector 40: forced colours keep shapes and words', () => scene(service(), async (page, host) => {
  everything(host)
  host.change(`service:${KEY}`, { 'ports/http/leftOut/bad': { pod: 'bad', address: '10.244.1.9', node: 'a', state: 'failing', code: 'FL110', message: WORD('x') } })
  await page.goto(host.base + '/ui/svc/default/hostnames')
  await page.waitForSelector('.picture svg')
  check((await page.locator('[data-mark="pod out bad"]').textContent()) === '✕', 'no shape')
  check(await page.evaluate(() => getComputedStyle(document.querySelector('.ribbon')).fill === 'none'), 'ribbons')
  await page.goto(host.base + '/ui/')
  check((await page.locator('tr', { hasText: 's2' }).innerText()).includes('✕'), 'no shape in the list')
}, { forcedColors: 'active' }))
await attempt('vector 40: with reduced motion nothing tweens', () => scene(service(), async (page, host) => {
  await page.goto(host.base + '/ui/svc/default/hostnames')
  await page.waitForSelector('.picture path.ribbon')
  await page.evaluate(() => { window.paths = new Set(); new MutationObserver(() => window.paths.add(document.querySelector('path[data-id^="split"]').getAttribute('d'))).observe(document.querySelector('.picture svg'), { subtree: true, attributes: true }) })
  host.change(`flows:${KEY}`, { 'ports/http/endpoints/10.244.1.1:9376/newPerSecond': 400, 'ports/http/newPerSecond': 420 })
  await until(page, () => window.paths.size > 0)
  await page.waitForTimeout(400)
  check((await page.evaluate(() => window.paths.size)) === 1, 'it moved in steps')
}, { reducedMotion: 'reduce' }))
await attempt('nothing jumps: the layout shifts by no more than 0.02 after the first data', () => scene(service(), async (page, host) => {
  everything(host)
  for (const [path, ready] of EVERY) {
    await page.goto(host.base + path)
    await page.waitForSelector(ready)
    const shift = await page.evaluate(() => new Promise((done) => {
      let sum = 0
      const began = performance.now()
      new PerformanceObserver((list) => list.getEntries().forEach((e) => { if (!e.hadRecentInput && e.startTime > began) sum += e.value })).observe({ type: 'layout-shift', buffered: false })
      setTimeout(() => done(sum), 500)
    }))
    check(shift <= 0.02, `${path}: ${shift}`)
  }
}))
await attempt('vector 48: half an hour of changes leaves the heap as it was', () => scene(service(12), async (page, host) => {
  host.values.set('services', LIST(Array.from({ length: 200 }, (_, i) => ROW(i)), { total: 1000 })).set('rates', { unseen: false, rates: {} })
  const cdp = await page.context().newCDPSession(page)
  const notes = []
  for (const [path, ready, topic, change, most] of [
    ['/ui/svc/default/hostnames', '.picture svg', `flows:${KEY}`, (i) => ({ [`ports/http/endpoints/10.244.1.${(i % 12) + 1}:9376/newPerSecond`]: i % 50, 'ports/http/newPerSecond': 100 + (i % 50) }), 20],
    ['/ui/', 'table.services', 'services', (i) => ({ [`items/default~1s${i % 200}/ready`]: i % 4 }), 25],
  ]) {
    await page.goto(host.base + path)
    await page.waitForSelector(ready)
    const heap = async () => {
      await cdp.send('HeapProfiler.collectGarbage')
      return (await cdp.send('Runtime.getHeapUsage')).usedSize / 1e6
    }
    const sizes = []
    for (let i = 1; i <= 7200; i++) {
      host.change(topic, change(i))
      if (i % 20 === 0) await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)))
      if (i % 2400 === 0) sizes.push(await heap())
    }
    notes.push(`${path} ${sizes.map((s) => s.toFixed(1)).join(' ')} MB`)
    check(sizes[2] <= most, notes.at(-1))
    check(sizes[2] - sizes[0] <= 1, `it grows: ${notes.at(-1)}`)
  }
  return notes.join(', ')
}))
await attempt('vector 42: nothing was asked elsewhere, refused by policy, or thrown', async () => {
  const left = visitors.flatMap((v) => v.problems).filter((p) => !p.includes('500 ('))
  check(left.length === 0, left.slice(0, 5).join('\n'))
})
await browser.close()
