// Looks at the page in a real browser: node browser/page.mjs CONFIG.json. Prints one line of JSON for each thing it tried.
// The config has `links`: two one-time links; `kubectl`: the words of a command; `out`: where screenshots go.
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Agent, request } from 'node:https'
import { accessible, attempt, check, count, launch, until, Visitor } from './harness.mjs'

const config = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const base = new URL(config.links[0]).origin
const browser = await launch(config.chromium)
const visitor = new Visitor(browser, base)
const call = (words, input) => execFileSync(words[0], words.slice(1), { encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'pipe'] })
const kubectl = (...words) => call([...config.kubectl, ...words])
const apply = (yaml) => call([...config.kubectl, 'apply', '-f', '-'], yaml)

// The API itself: kubectl takes longer to start than a change takes to the screen.
const kubeconfig = readFileSync(config.kubeconfig, 'utf8')
const field = (name) => new RegExp(`${name}: *"?([^"\\s]+)`).exec(kubeconfig)[1]
const decoded = (name) => Buffer.from(field(name), 'base64')
const server = field('server')
const agent = new Agent({ keepAlive: true, ca: decoded('certificate-authority-data'), cert: decoded('client-certificate-data'), key: decoded('client-key-data') })
const api = (method, path, body) =>
  new Promise((done, failed) => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const asked = request(server + path, { method, agent, headers: { 'Content-Type': type } }, (response) => {
      const parts = []
      response.on('data', (part) => parts.push(part))
      response.on('end', () => (response.statusCode < 300 ? done(JSON.parse(Buffer.concat(parts))) : failed(new Error(`${method} ${path}: ${response.statusCode} ${Buffer.concat(parts)}`))))
    })
    asked.on('error', failed)
    asked.end(body === undefined ? undefined : JSON.stringify(body))
  })

const page = await visitor.tab()
await attempt('vector 19: a link lets one browser in, leaves the address bar, and is in no log', async () => {
  await page.goto(config.links[0])
  await page.waitForSelector('table.services')
  check(!page.url().includes('login'), page.url())
  const cookies = await page.context().cookies(base + '/ui/')
  check(cookies.length === 1 && cookies[0].httpOnly && cookies[0].sameSite === 'Strict', JSON.stringify(cookies))
  const code = config.links[0].split('#login=')[1]
  const found = call(['sh', '-c', 'grep -rlF -e "$1" "$2" || true', 'sh', code, config.data])
  check(code.length > 40 && found === '', `the code is in ${found}`)
})
await attempt('a used link says how to get another', async () => {
  const other = await visitor.tab()
  await other.goto(config.links[0])
  await other.getByText('fairlead ui', { exact: true }).waitFor()
  await accessible(other)
  await other.context().close()
})
await attempt('a Service is a picture', async () => {
  await page.goto(base + '/ui/svc/default/hostnames')
  await until(page, () => document.querySelectorAll('.picture g[data-id^="endpoint "]').length === 3)
  check((await count(page, '.picture path[data-id^="split"]')) === 3, 'ribbons')
  check((await count(page, '#picture-table tbody tr')) === 3, 'table twin')
  await page.getByText('Rules', { exact: true }).first().waitFor()
})
await attempt('vector 41: a stage opens a drawer by keyboard, which gives the focus back; the language changes below it', async () => {
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
await attempt('vector 34: a changed selector is on the screen within a second, with its reason and what to do', async () => {
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
await attempt('a changed endpoint is on the screen within 300 ms of the write', async () => {
  const slice = (last) => ({ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: { name: 'direct-1', labels: { 'kubernetes.io/service-name': 'direct' } }, addressType: 'IPv4', ports: [{ port: 80, protocol: 'TCP' }], endpoints: [{ addresses: [`192.0.2.${last}`], conditions: { ready: true } }] })
  await api('POST', '/api/v1/namespaces/default/services', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'direct' }, spec: { ports: [{ port: 80 }] } })
  const path = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices'
  await api('POST', path, slice(100))
  await page.goto(base + '/ui/svc/default/direct')
  await page.waitForSelector('g[data-id="endpoint 192.0.2.100:80"]')
  const times = []
  for (let i = 101; i <= 111; i++) {
    await page.evaluate((id) => { window.at = undefined; new MutationObserver((_, me) => { if (document.querySelector(`g[data-id="${id}"]`)) { window.at = performance.timeOrigin + performance.now(); me.disconnect() } }).observe(document.querySelector('main'), { childList: true, subtree: true }) }, `endpoint 192.0.2.${i}:80`)
    const began = performance.timeOrigin + performance.now()
    await api('PATCH', path + '/direct-1', { endpoints: slice(i).endpoints })
    await until(page, () => window.at !== undefined)
    times.push((await page.evaluate(() => window.at)) - began)
    await page.waitForTimeout(300)
  }
  times.sort((one, other) => one - other)
  check(times[5] <= 300, `median ${times[5]} ms`)
  return `median ${times[5].toFixed(0)} ms, most ${times.at(-1).toFixed(0)} ms`
})
await attempt('vector 33: a pod that becomes not ready is detached, with its reason', async () => {
  let code = 200
  const probed = createServer((_, response) => response.writeHead(code).end())
  await new Promise((done) => probed.listen(0, '127.0.0.1', done))
  probed.unref()
  await api('POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'probed', labels: { app: 'probed' } }, spec: { containers: [{ name: 'hostnames', image: 'fairlead.dev/hostnames',
    readinessProbe: { httpGet: { host: '127.0.0.1', port: probed.address().port, path: '/' }, periodSeconds: 1, failureThreshold: 1 } }] } })
  await page.goto(base + '/ui/svc/default/probed')
  await until(page, () => document.querySelectorAll('.picture g[data-id^="endpoint "]').length === 1)
  await page.waitForTimeout(5000)
  await page.evaluate(() => { window.said = []; const region = document.querySelector('[aria-live=polite].hidden'); new MutationObserver(() => { if (region.textContent) window.said.push(region.textContent) }).observe(region, { childList: true, characterData: true, subtree: true }) })
  code = 503
  const began = Date.now()
  await page.waitForSelector('.picture [data-mark="pod out probed"]')
  const took = Date.now() - began
  check((await page.locator('.picture [data-mark="pod out probed"]').textContent()) === '◐', 'mark')
  await page.locator('.picture', { hasText: 'FL110' }).waitFor()
  await page.locator('#picture-table', { hasText: 'not ready' }).waitFor({ state: 'attached' })
  await page.getByText('0 of 1 pods serve').first().waitFor()
  await page.locator('.changes li').first().waitFor()
  check((await page.evaluate(() => window.said.length)) === 1, JSON.stringify(await page.evaluate(() => window.said)))
  // The probe runs once a second, and the page has a second.
  check(took < 3000, `${took} ms`)
  probed.close()
  return `${took} ms after the answer changed`
})
await attempt('vector 36: a trace shows its hops and where it came out, as the command line does', async () => {
  await page.goto(base + '/ui/trace?from=pod/default/client-0&to=svc/default/hostnames&port=80&how=send')
  await page.click('button[type=submit]')
  await page.waitForSelector('.hops button')
  check((await page.locator('.verdict').innerText()).includes('reached'), await page.locator('.verdict').innerText())
  const command = (await page.locator('footer .command code').innerText()).split(' ').slice(1)
  const said = JSON.parse(call([...config.fairlead, ...command, '-o', 'json']))
  check(said.result === 'reached', said.result)
  const shown = await page.locator('.hops button').allInnerTexts()
  check(shown.length === said.hops.length, `${shown.length} hops, the command line has ${said.hops.length}`)
  said.hops.forEach((hop, i) => check(shown[i].includes(hop.place), `hop ${i + 1}: ${shown[i]} is not ${hop.place}`))
  const rules = said.hops.findIndex((hop) => hop.rule)
  if (rules >= 0) {
    await page.locator('.hops button').nth(rules).click()
    const plain = (text) => text.replace(/[0-9]+/g, '#')
    check(plain(await page.locator('.hop pre').innerText()).includes(plain(said.hops[rules].rule)), said.hops[rules].rule)
  }
})
await attempt('vector 25, vector 26: a user sees what that user may see, and sends nothing without the right', async () => {
  const { status: { token } } = await api('POST', '/api/v1/namespaces/shop/serviceaccounts/viewer/token', {})
  writeFileSync(config.viewer, kubeconfig.replace(/client-certificate-data:.*/, `token: ${token}`).replace(/ *client-key-data:.*\n/, ''))
  const link = JSON.parse(call([...config.fairlead.filter((word) => !word.startsWith('--kubeconfig')), 'ui', '-o', 'json', '--kubeconfig=' + config.viewer]))
  const other = await visitor.tab()
  await other.goto(link.url)
  await other.waitForSelector('table.services')
  const namespaces = await other.locator('table.services td.ns').allInnerTexts()
  check(namespaces.length > 0 && namespaces.every((name) => name === 'shop'), namespaces.join())
  await other.getByText('Other namespaces: you may not list Services there').waitFor()
  await other.goto(base + '/ui/svc/default/hostnames')
  await other.getByText('You may not get services in default.').waitFor()
  await accessible(other)
  await other.goto(base + '/ui/trace?from=pod/shop/a&to=svc/shop/web&how=send')
  await other.getByText('needs the right to create nodes/insight').waitFor()
  check(await other.locator('button[type=submit]').isDisabled(), 'Run is not disabled')
  await other.context().close()
})
await attempt('vector 37: keys do what they say, and are typed where one types', async () => {
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
  check((await page.evaluate(() => navigator.clipboard.readText())) === 'fairlead explain -A | grep -iF hostnames', 'clipboard')
  await page.keyboard.press('?')
  await page.waitForSelector('dialog[open]')
  await accessible(page)
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
  ['/ui/learn', 'learn', '.tour li'], ['/ui/learn/walk-1', 'chapter', '.story pre'], ['/ui/learn/FL102', 'code', '.help'], ['/ui/settings', 'settings', 'fieldset'], ['/ui/no/such', 'lost', 'h1'],
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
for (const look of [['light', 'en'], ['dark', 'zh-CN'], ['light', 'zh-CN'], ['dark', 'en']])
  await all(`vector 39: axe, ${look.join(', ')}`, look, 1280, () => accessible(page))
for (const language of ['en', 'zh-CN'])
  await all(`vector 40: fits 360 px, ${language}`, ['light', language], 360, async () => {
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    check(wide <= 360, `${wide} px wide`)
  })
await page.setViewportSize({ width: 1280, height: 800 })
await page.evaluate(() => localStorage.clear())
await attempt('vector 38: what y copies runs, and gives the same verdict', async () => {
  const notes = []
  for (const [path, id, wait] of pages.filter(([, id]) => !['missing', 'settings', 'lost', 'tracing', 'headless', 'learn', 'chapter'].includes(id))) {
    await page.goto(base + path)
    await page.waitForSelector(wait)
    await page.evaluate(() => navigator.clipboard.writeText(''))
    await page.keyboard.press('y')
    await until(page, async () => (await navigator.clipboard.readText()).startsWith('fairlead '))
    const words = (await page.evaluate(() => navigator.clipboard.readText())).split(' ').slice(1)
    let exit = 0
    try {
      call([...config.fairlead, ...words])
    } catch (error) {
      exit = error.status
      check([1, 3].includes(exit), `${words.join(' ')} ended with ${exit}: ${error.stderr}${error.stdout}`)
    }
    if (id === 'service') check((exit === 0) === /works/.test(await page.locator('.verdict strong').first().innerText()), `exit ${exit}`)
    notes.push(`${id} ${exit}`)
  }
  return notes.join(', ')
})
if (config.images) {
  await attempt('pictures of the main pages', async () => {
    apply(readFileSync(config.more, 'utf8'))
    const visits = spawn(config.kubectl[0], [...config.kubectl.slice(1), 'exec', 'client-0', '--', 'sh', '-c', 'for i in $(seq 20000); do curl -s -o /dev/null --max-time 2 hostnames; done'], { stdio: 'ignore' })
    const others = spawn('sh', ['-c', 'for i in $(seq 20000); do curl -s -o /dev/null --max-time 2 http://$0/; sleep 0.05; done', kubectl('get', 'svc', 'hostnames', '-o', 'jsonpath={.spec.clusterIP}')], { stdio: 'ignore' })
    kubectl('scale', 'deployment/hostnames', '--replicas=3')
    const main = pages.filter(([, id]) => ['services', 'service', 'rules', 'names', 'nodes', 'history', 'machine', 'learn', 'chapter'].includes(id))
    main.push(['/ui/trace?from=pod/default/client-0&to=svc/default/hostnames&port=80&how=send', 'trace', 'form'])
    for (const [look, theme, language, width] of [['light', 'light', 'en', 1280], ['dark', 'dark', 'en', 1280], ['zh', 'light', 'zh-CN', 1280], ['dark-zh', 'dark', 'zh-CN', 1280], ['360', 'light', 'en', 360], ['360-zh', 'dark', 'zh-CN', 360]]) {
      await page.setViewportSize({ width, height: width < 500 ? 900 : 800 })
      await page.evaluate(([a, b]) => { localStorage.setItem('fairlead.theme', a); localStorage.setItem('fairlead.language', b) }, [theme, language])
      for (const [path, id, wait] of main) {
        await page.goto(base + path)
        await page.waitForSelector(wait)
        if (id === 'trace') {
          await page.click('button[type=submit]')
          await page.waitForSelector('.hops button')
        }
        await page.waitForTimeout(id === 'service' || id === 'services' ? 4500 : 400)
        await page.screenshot({ path: `${config.images}/ui-${id}-${look}.png` })
      }
    }
    visits.kill()
    others.kill()
  })
}
await attempt('vector 42: nothing was asked elsewhere, refused by policy, or thrown', async () => {
  const left = visitor.problems.filter((p) => !p.includes('500 (') && !p.includes('on purpose'))
  check(left.length === 0, left.slice(0, 5).join('\n'))
})
await browser.close()
