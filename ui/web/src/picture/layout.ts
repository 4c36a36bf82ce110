// Where everything of the main picture stands. Pure: a model and a width in, numbers out.

export type Mark = 'ready' | 'notReady' | 'terminating' | 'failing' | 'attention' | 'gone'
export interface Ask { text: string; kind: 'pod' | 'node' | 'outside' | 'more' | 'unknown'; rate: number | null }
export interface Front { kind: string; text: string; rate: number | null; verdict: 'forward' | 'reject'; dropsOn: string[] }
export interface Endpoint {
  id: string; text: string; pod: string; node: string; state: Mark
  expected: number; seen: number | null; rate: number | null; note?: string
}
export interface LeftOut { id: string; text: string; pod: string; node: string; state: Mark; code: string; message: string }
export interface Model {
  kind: 'service' | 'headless' | 'alias'
  name: string
  /** What an `alias` stands for. */
  alias?: string
  rule: { text: string; mode: string }
  fronts: Front[]; asks: Ask[]; endpoints: Endpoint[]; leftOut: LeftOut[]
}
export type Stage = 'ask' | 'name' | 'vip' | 'rule' | 'endpoint' | 'pod' | 'node'
export interface Box { id: string; stage: Stage; x: number; y: number; w: number; h: number; text: string; full: string; mark?: Mark; dashed?: boolean }
export interface Ribbon { id: string; path: string; w: number; dashed: boolean }
export interface Label { id: string; x: number; y: number; text: string }
export interface Bar { id: string; y: number; text: string; seen: number; expected: number; share: string; mark: Mark }
export interface Bin { x: number; h: number; count: number; outlined: boolean }
export interface Picture {
  mode: 'wide' | 'bars' | 'histogram' | 'vertical'
  width: number; height: number
  boxes: Box[]; ribbons: Ribbon[]; lines: { id: string; x1: number; x2: number; y: number; dashed: boolean }[]
  labels: Label[]; bars: Bar[]; bins: Bin[]; lowest: Endpoint[]; highest: Endpoint[]
  trunk: number; rejected: boolean
}

export const ROW = 36, BOX = 28, TOP = 40, OUT = 20, BOTTOM = 16
export const COLUMNS: Record<Stage, { x: number; w: number }> = {
  ask: { x: 0, w: 140 }, name: { x: 180, w: 190 }, vip: { x: 410, w: 150 }, rule: { x: 600, w: 150 },
  endpoint: { x: 850, w: 150 }, pod: { x: 1010, w: 130 }, node: { x: 1150, w: 50 },
}
const WIDE = 900, FEW = 12, MANY = 200, BARS = 40, BAR_ROW = 20, BAR = 130

/** Half up to one tenth. */
export const tenth = (n: number): number => Math.floor(n * 10 + 0.5 + 1e-9) / 10
const known = (rates: (number | null)[]): number => rates.reduce<number>((sum, r) => sum + (r ?? 0), 0)

/** How wide the trunk is for so many new connections a second. */
export function trunk(rate: number): number {
  return rate > 0 ? tenth(Math.min(26, Math.max(4, 4 + 8 * Math.log10(1 + rate)))) : 2
}

export function ribbon(x0: number, a: number, x1: number, b: number, w: number): string {
  const xm = (x0 + x1) / 2
  const n = (v: number) => String(tenth(v))
  return `M${n(x0)} ${n(a)}C${n(xm)} ${n(a)} ${n(xm)} ${n(b)} ${n(x1)} ${n(b)}` +
    `L${n(x1)} ${n(b + w)}C${n(xm)} ${n(b + w)} ${n(xm)} ${n(a + w)} ${n(x0)} ${n(a + w)}Z`
}

const columns = (text: string): number => [...text].reduce((n, c) => n + (c.codePointAt(0)! > 0x2e7f ? 12 / 7.2 : 1), 0)

/** A text that fits so many columns: pods keep the end of their name, others the beginning. */
export function fit(text: string, capacity: number, pod = false): string {
  if (columns(text) <= capacity) return text
  const head = (most: number): string => {
    let kept = ''
    for (const c of text) {
      if (columns(kept + c) > most) break
      kept += c
    }
    return kept
  }
  return pod ? head(capacity - 6) + '…' + text.slice(-5) : head(capacity - 1) + '…'
}
export const capacity = (w: number, pod = false): number => Math.floor((w - (pod ? 30 : 16)) / 7.2)

export const percent = (share: number): string => (share * 100).toFixed(1)
export const shareText = (e: Endpoint): string =>
  e.seen === null ? `${percent(e.expected)} %` : `${percent(e.expected)} · ${percent(e.seen)} %`

function box(stage: Stage, id: string, y: number, text: string, mark?: Mark, dashed?: boolean): Box {
  const { x, w } = COLUMNS[stage]
  return { id, stage, x, y, w, h: BOX, text: fit(text, capacity(w, stage === 'pod' || mark !== undefined), stage === 'pod'), full: text, mark, dashed }
}

/** The widths of ribbons that share a trunk. */
function widths(rates: (number | null)[], all: number): { w: number[]; dashed: boolean } {
  const sum = known(rates)
  const dashed = sum <= 0
  return { w: rates.map((r) => (dashed ? 1.5 : Math.max(1.5, (all * (r ?? 0)) / sum))), dashed }
}

/** Ribbons between many boxes and one, stacked at the one. */
function fan(id: string, ones: Box, others: Box[], rates: (number | null)[], all: number, mirrored: boolean): Ribbon[] {
  const { w, dashed } = widths(rates, all)
  const middle = ones.y + BOX / 2
  let at = middle - w.reduce((sum, x) => sum + x, 0) / 2
  return others.map((other, i) => {
    const width = w[i]!
    const free = other.y + BOX / 2 - width / 2
    const path = mirrored
      ? ribbon(other.x + other.w, free, ones.x, at, width)
      : ribbon(ones.x + ones.w, at, other.x, free, width)
    at += width
    return { id: `${id} ${other.id}`, path, w: tenth(width), dashed }
  })
}

const empty = (width: number): Picture => ({
  mode: 'wide', width, height: 0, boxes: [], ribbons: [], lines: [], labels: [], bars: [], bins: [],
  lowest: [], highest: [], trunk: 2, rejected: false,
})

/** @param bySeen whether a list of bars has the busiest endpoint first */
export function layout(model: Model, width: number, bySeen = false): Picture {
  const picture = empty(width)
  const total = known(model.endpoints.map((e) => e.rate))
  picture.trunk = trunk(total)
  picture.rejected = model.kind === 'service' && model.endpoints.every((e) => e.state === 'gone')
  if (bySeen && model.endpoints.length > FEW) model = { ...model, endpoints: [...model.endpoints].sort((a, b) => (b.seen ?? 0) - (a.seen ?? 0) || (a.id < b.id ? -1 : 1)) }
  if (width < WIDE) return vertical(model, picture)
  if (model.endpoints.length > MANY) return wide(model, { ...picture, mode: 'histogram' })
  if (model.endpoints.length > FEW) return wide(model, { ...picture, mode: 'bars' })
  return wide(model, picture)
}

function wide(model: Model, picture: Picture): Picture {
  const drawn = picture.mode === 'wide' ? model.endpoints : []
  const asks = model.asks.length > 0 ? model.asks : [{ text: 'unknown', kind: 'unknown', rate: null } as Ask]
  const fronts = model.kind === 'service' ? model.fronts : []
  const side = picture.mode === 'bars' ? Math.min(model.endpoints.length, BARS) * BAR_ROW : picture.mode === 'histogram' ? 320 : 0
  const body = Math.max(ROW * Math.max(drawn.length, asks.length, fronts.length, 1), side)
  // More bars than fit beside the other stages go on below them: the picture scrolls.
  const list = picture.mode === 'bars' ? Math.max(body, model.endpoints.length * BAR_ROW) : body
  const left = model.leftOut.length
  picture.height = TOP + list + (left > 0 ? OUT + ROW * left : 0) + BOTTOM
  const top = (count: number, i: number) => TOP + (body - count * ROW) / 2 + i * ROW + (ROW - BOX) / 2
  const askBoxes = asks.map((a, i) => box('ask', `ask ${a.text}`, top(asks.length, i), a.text))
  const name = box('name', 'name', top(1, 0), model.name)
  const vips = fronts.map((f, i) =>
    box('vip', `vip ${f.kind} ${f.text}`, top(fronts.length, i), f.text, f.dropsOn.length > 0 ? 'attention' : undefined))
  const ends = drawn.map((e, i) => box('endpoint', `endpoint ${e.id}`, top(drawn.length, i), e.text, undefined, e.state === 'gone'))
  picture.boxes.push(...askBoxes, name, ...vips, ...ends)
  const total = known(drawn.map((e) => e.rate))
  picture.ribbons.push(...fan('ask', name, askBoxes, asks.map((a) => a.rate), trunk(known(asks.map((a) => a.rate))), true))
  let split = name
  if (model.kind === 'alias') {
    const text = `CNAME ${model.alias ?? ''}`
    const w = COLUMNS.rule.x + COLUMNS.rule.w - COLUMNS.vip.x
    const target: Box = { id: 'alias', stage: 'vip', x: COLUMNS.vip.x, y: name.y, w, h: BOX, text: fit(text, capacity(w)), full: text, dashed: true }
    picture.boxes.push(target)
    picture.ribbons.push(...fan('alias', name, [target], [null], trunk(0), false))
  }
  if (model.kind === 'service') {
    const rule = box('rule', 'rule', top(1, 0), model.rule.text, picture.rejected ? 'failing' : undefined)
    picture.boxes.push(rule)
    picture.ribbons.push(...fan('front', name, vips, fronts.map((f) => f.rate), picture.trunk, false))
    picture.ribbons.push(...fan('rule', rule, vips, fronts.map((f) => f.rate), picture.trunk, true))
    split = rule
  }
  const rates = drawn.map((e) => (e.state === 'gone' ? 0 : e.rate))
  picture.ribbons.push(...fan('split', split, ends, rates, trunk(total), false))
  labels(picture, drawn, split, ends, rates)
  drawn.forEach((e, i) => pod(picture, `${e.id}`, ends[i]!.y, e.pod, e.node, e.state, e.state === 'gone'))
  model.leftOut.forEach((l, i) => {
    const y = TOP + list + OUT + 4 + i * ROW
    picture.boxes.push(box('endpoint', `out ${l.id}`, y, l.text || '–', undefined, true))
    pod(picture, `out ${l.id}`, y, l.pod, l.node, l.state, true)
  })
  if (picture.mode === 'bars') picture.bars = bars(model.endpoints)
  if (picture.mode === 'histogram') histogram(model, picture)
  return picture
}

function pod(picture: Picture, id: string, y: number, name: string, node: string, mark: Mark, dashed: boolean): void {
  picture.boxes.push(box('pod', `pod ${id}`, y, name || '–', mark, dashed), box('node', `node ${id}`, y, node || '–', undefined, dashed))
  picture.lines.push(
    { id: `a ${id}`, x1: 1000, x2: 1010, y: y + BOX / 2, dashed },
    { id: `b ${id}`, x1: 1140, x2: 1150, y: y + BOX / 2, dashed },
  )
}

/** The share of each endpoint where there is room for it. */
function labels(picture: Picture, drawn: Endpoint[], split: Box, ends: Box[], rates: (number | null)[]): void {
  const { w } = widths(rates, trunk(known(rates)))
  let at = split.y + BOX / 2 - w.reduce((sum, x) => sum + x, 0) / 2
  let last = -Infinity
  const x = (split.x + split.w + 850) / 2
  drawn.forEach((e, i) => {
    const width = w[i]!
    const b = ends[i]!.y + BOX / 2 - width / 2
    const y = tenth((at + b + width) / 2 + 4)
    at += width
    if (y - last >= 14 && e.expected > 0) {
      picture.labels.push({ id: e.id, x, y, text: shareText(e) })
      last = y
    }
  })
}

function bars(endpoints: Endpoint[]): Bar[] {
  const most = Math.max(...endpoints.map((e) => Math.max(e.expected, e.seen ?? 0)), 1e-9)
  return endpoints.map((e, i) => ({
    id: e.id, y: TOP + i * BAR_ROW, text: e.text, mark: e.state, share: shareText(e),
    seen: tenth((BAR * (e.seen ?? e.expected)) / most), expected: tenth((BAR * e.expected) / most),
  }))
}

function histogram(model: Model, picture: Picture): void {
  const counts = new Array<number>(21).fill(0)
  for (const e of model.endpoints) {
    const ratio = e.expected > 0 && e.seen !== null ? e.seen / e.expected : 1
    const bin = Math.min(20, Math.floor(ratio * 10 + 1e-9))
    counts[bin] = counts[bin]! + 1
  }
  const most = Math.max(...counts, 1)
  picture.bins = counts.map((count, i) => ({ x: 850 + i * 16, h: tenth((160 * count) / most), count, outlined: i === 10 }))
  const bySeen = [...model.endpoints].sort((a, b) => (a.seen ?? 0) - (b.seen ?? 0) || (a.id < b.id ? -1 : 1))
  picture.lowest = bySeen.slice(0, 5)
  picture.highest = bySeen.slice(-5).reverse()
}

function vertical(model: Model, picture: Picture): Picture {
  picture.mode = 'vertical'
  const rail = Math.min(20, Math.max(4, picture.trunk))
  const rows: [Stage, string, string, Mark | undefined][] = []
  const asks = model.asks.length > 0 ? model.asks : [{ text: 'unknown', kind: 'unknown', rate: null } as Ask]
  asks.forEach((a) => rows.push(['ask', `ask ${a.text}`, a.text, undefined]))
  rows.push(['name', 'name', model.name, undefined])
  if (model.kind === 'alias') rows.push(['vip', 'alias', `CNAME ${model.alias ?? ''}`, undefined])
  if (model.kind === 'service') {
    model.fronts.forEach((f) => rows.push(['vip', `vip ${f.kind} ${f.text}`, f.text, f.dropsOn.length > 0 ? 'attention' : undefined]))
    rows.push(['rule', 'rule', model.rule.text, picture.rejected ? 'failing' : undefined])
  }
  rows.forEach(([stage, id, text, mark], i) =>
    picture.boxes.push({ id, stage, x: 28, y: i * 40 + 4, w: picture.width - 28, h: 32, text: fit(text, Math.floor((picture.width - 60) / 7.2)), full: text, mark }))
  picture.ribbons.push({ id: 'rail', path: `M4 4L4 ${rows.length * 40}L${4 + rail} ${rows.length * 40}L${4 + rail} 4Z`, w: rail, dashed: picture.trunk === 2 })
  picture.bars = bars(model.endpoints).map((bar, i) => ({ ...bar, y: rows.length * 40 + i * 40 }))
  const below = (rows.length + model.endpoints.length) * 40 + 8
  model.leftOut.forEach((l, i) =>
    picture.boxes.push({ id: `out ${l.id}`, stage: 'pod', x: 28, y: below + i * 40 + 4, w: picture.width - 28, h: 32, text: fit(l.pod, Math.floor((picture.width - 76) / 7.2), true), full: l.pod, mark: l.state, dashed: true }))
  picture.height = below + model.leftOut.length * 40 + BOTTOM
  return picture
}
