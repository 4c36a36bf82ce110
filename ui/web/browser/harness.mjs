// What all programs that look at the page in a real browser share.
import { readFileSync } from 'node:fs'
import { chromium } from 'playwright-core'

const LIMIT = 30_000
const axe = readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

export const launch = (executablePath, ...more) =>
  chromium.launch({
    executablePath, headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage', ...more],
  })

export function check(truth, what) {
  if (!truth) throw new Error(what)
}

/** One line of JSON for each thing that was tried; with a second argument only for names that hold it. */
export async function attempt(name, work) {
  if (!name.includes(process.argv[3] ?? '')) return
  const began = Date.now()
  try {
    const note = await work()
    console.log(JSON.stringify({ name, ok: true, millis: Date.now() - began, note: note ?? '' }))
  } catch (error) {
    console.log(JSON.stringify({ name, ok: false, millis: Date.now() - began, note: String(error?.message ?? error) }))
  }
}

/** Pages of one host; what none of them may do is collected in `problems`. */
export class Visitor {
  problems = []

  constructor(browser, base) {
    this.browser = browser
    this.base = base
  }

  async tab(options = {}) {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US', ...options })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: this.base })
    return this.watched(await context.newPage())
  }

  watched(page) {
    page.setDefaultTimeout(LIMIT)
    page.on('console', (m) => { if (m.type() === 'error' && !/40[134]|ERR_(CONNECTION|INCOMPLETE|EMPTY|FAILED|SOCKET)/.test(m.text())) this.problems.push(`${page.url()} ${m.text()}`) })
    page.on('pageerror', (e) => this.problems.push(`${page.url()} ${e.message}`))
    page.on('request', (r) => { if (!r.url().startsWith(this.base) && !r.url().startsWith('data:')) this.problems.push(`asked elsewhere: ${r.url()}`) })
    return page
  }
}

export async function accessible(page) {
  await page.evaluate(axe)
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }))
  const said = found.violations.map((v) => `${v.id}: ${v.nodes.slice(0, 2).map((n) => n.target.join(' ')).join(', ')}`)
  check(said.length === 0, said.join('; '))
}

export const count = (page, selector) => page.locator(selector).count()
export const until = (page, test, argument) => page.waitForFunction(test, argument, { timeout: LIMIT, polling: 50 })
