import { describe, expect, it } from 'vitest'
import { capacity, fit, layout, trunk, type Endpoint, type LeftOut, type Model } from '../src/picture/layout'

const endpoint = (i: number, rate: number | null, more: Partial<Endpoint> = {}): Endpoint => ({
  id: `10.244.1.${i}:9376`, text: `10.244.1.${i}:9376`, pod: `hostnames-${i}`, node: 'a', state: 'ready',
  expected: 1 / 3, seen: null, rate, ...more,
})
const out = (i: number): LeftOut => ({ id: `out-${i}`, text: '10.244.3.9', pod: `out-${i}`, node: 'c', state: 'failing', code: 'FL110', message: 'not ready' })
const model = (rates: (number | null)[], more: Partial<Model> = {}): Model => ({
  kind: 'service', name: 'hostnames.default.svc.cluster.local', rule: { text: 'nftables', mode: 'nftables' },
  fronts: [{ kind: 'ClusterIP', text: '10.0.1.175:80', rate: null, verdict: 'forward', dropsOn: [] }],
  asks: [60, 48, 10].map((rate, i) => ({ text: `client-${i}`, kind: 'pod', rate })),
  endpoints: rates.map((r, i) => endpoint(i, r)), leftOut: [], ...more,
})
const tops = (m: Model, prefix: string) => layout(m, 1200).boxes.filter((b) => b.id.startsWith(prefix)).map((b) => b.y)
const paths = (m: Model, prefix: string) => layout(m, 1200).ribbons.filter((r) => r.id.startsWith(prefix)).map((r) => r.path)
const three = model([39.8, 38.7, 39.5], { leftOut: [out(1)] })

describe('layout', () => {
  it('vector 1: boxes of three endpoints and one left out', () => {
    const p = layout(three, 1200)
    expect(p.height).toBe(220)
    expect(p.trunk).toBe(20.6)
    expect(tops(three, 'endpoint')).toEqual([44, 80, 116])
    expect(tops(three, 'rule')).toEqual([80])
    expect(tops(three, 'out')).toEqual([172])
  })
  it('vectors 2 and 3: the split', () => {
    expect(paths(three, 'split')).toEqual([
      'M750 83.7C800 83.7 800 54.5 850 54.5L850 61.5C800 61.5 800 90.6 750 90.6Z',
      'M750 90.6C800 90.6 800 90.6 850 90.6L850 97.4C800 97.4 800 97.4 750 97.4Z',
      'M750 97.4C800 97.4 800 126.6 850 126.6L850 133.4C800 133.4 800 104.3 750 104.3Z',
    ])
  })
  it('vector 4: the first ask', () => {
    expect(paths(three, 'ask')[0]).toBe('M140 52.8C160 52.8 160 83.7 180 83.7L180 94.2C160 94.2 160 63.2 140 63.2Z')
  })
  it('vector 5: nothing flows', () => {
    const still = model([0, 0, 0])
    const p = layout(still, 1200)
    expect(p.trunk).toBe(2)
    expect(p.height).toBe(164)
    const split = p.ribbons.filter((r) => r.id.startsWith('split'))
    expect(split.every((r) => r.dashed && r.w === 1.5)).toBe(true)
    expect(split[0]!.path).toBe('M750 91.8C800 91.8 800 57.3 850 57.3L850 58.8C800 58.8 800 93.3 750 93.3Z')
  })
  it('vector 6: one endpoint', () => {
    const one = model([5], { asks: [] })
    expect(layout(one, 1200).trunk).toBe(10.2)
    expect(layout(one, 1200).height).toBe(92)
    expect(paths(one, 'split')[0]).toBe('M750 52.9C800 52.9 800 52.9 850 52.9L850 63.1C800 63.1 800 63.1 750 63.1Z')
  })
  it('vector 7: a thousand beside a half', () => {
    const two = model([1000, 0.5], { asks: [] })
    const p = layout(two, 1200)
    expect(p.trunk).toBe(26)
    expect(p.ribbons.filter((r) => r.id.startsWith('split')).map((r) => r.w)).toEqual([26, 1.5])
    expect(p.height).toBe(128)
    expect(tops(two, 'endpoint')).toEqual([44, 80])
    expect(tops(two, 'rule')).toEqual([62])
  })
  it('vector 8: twelve are drawn, thirteen are bars', () => {
    const p = layout(model(new Array(12).fill(10)), 1200)
    expect(p.mode).toBe('wide')
    expect(p.height).toBe(488)
    expect(p.ribbons.filter((r) => r.id.startsWith('split')).every((r) => r.w === 1.7)).toBe(true)
    expect(layout(model(new Array(13).fill(10)), 1200).mode).toBe('bars')
  })
  it('vector 9: many endpoints', () => {
    expect(layout(model(new Array(200).fill(1)), 1200).mode).toBe('bars')
    const p = layout(model(new Array(5000).fill(1)), 1200)
    expect(p.mode).toBe('histogram')
    expect(p.bins).toHaveLength(21)
    expect(p.bins.filter((b) => b.outlined)).toHaveLength(1)
    expect(p.lowest).toHaveLength(5)
  })
  it('vector 9: five thousand within 20 ms', () => {
    const many = model(new Array(5000).fill(1))
    const times = Array.from({ length: 15 }, () => {
      const began = performance.now()
      layout(many, 1200)
      return performance.now() - began
    }).sort((a, b) => a - b)
    expect(times[3]).toBeLessThan(20)
  })
  it('more bars than fit go on below, and may be ordered by what was seen', () => {
    const many = model(new Array(100).fill(1))
    many.endpoints[70] = { ...many.endpoints[70]!, seen: 0.9 }
    const p = layout(many, 1200)
    expect(p.bars).toHaveLength(100)
    expect(p.height).toBe(40 + 100 * 20 + 16)
    expect(p.boxes.find((b) => b.stage === 'rule')!.y).toBeLessThan(840)
    expect(layout(many, 1200, true).bars[0]!.id).toBe(many.endpoints[70]!.id)
  })
  it('vector 10: no endpoints', () => {
    const none = model([], { asks: [], leftOut: [out(1), out(2), out(3)] })
    const p = layout(none, 1200)
    expect(p.rejected).toBe(true)
    expect(p.height).toBe(220)
    expect(tops(none, 'out')).toEqual([100, 136, 172])
    expect(p.boxes.find((b) => b.stage === 'rule')!.mark).toBe('failing')
    expect(paths(none, 'split')).toEqual([])
  })
  it('vector 11: an insert keeps the order and the others apart from y', () => {
    const before = layout(model([1, 1]), 1200).boxes
    const more = model([1, 1])
    more.endpoints.splice(1, 0, endpoint(7, 1))
    const after = layout(more, 1200).boxes
    const ids = after.filter((b) => b.id.startsWith('endpoint')).map((b) => b.id)
    expect(ids).toEqual(['endpoint 10.244.1.0:9376', 'endpoint 10.244.1.7:9376', 'endpoint 10.244.1.1:9376'])
    for (const one of before) expect(after.find((b) => b.id === one.id)!.x).toBe(one.x)
  })
  it('vector 12: a ghost keeps its row, and nothing moves sideways', () => {
    const ghost = model([1, 1])
    ghost.endpoints[0] = { ...ghost.endpoints[0]!, state: 'gone', expected: 0, rate: null, note: 'removed 10:42:07' }
    const p = layout(ghost, 1200)
    expect(tops(ghost, 'endpoint')).toEqual(tops(model([1, 1]), 'endpoint'))
    expect(p.boxes.find((b) => b.id === 'pod 10.244.1.0:9376')!.mark).toBe('gone')
  })
  it('vector 13: narrow is vertical and fits', () => {
    for (const width of [899, 360]) {
      const p = layout(three, width)
      expect(p.mode).toBe('vertical')
      for (const b of p.boxes) expect(b.x + b.w).toBeLessThanOrEqual(width)
      const detached = p.boxes.find((b) => b.id === 'out out-1')!
      expect(detached.dashed).toBe(true)
      expect(detached.y).toBeGreaterThan(Math.max(...p.bars.map((bar) => bar.y)) + 40)
      expect(detached.y + detached.h).toBeLessThan(p.height)
    }
  })
  it('vector 14: headless has neither address nor rule, drops are marked', () => {
    const headless = layout(model([1], { kind: 'headless' }), 1200)
    expect(headless.boxes.some((b) => b.stage === 'vip' || b.stage === 'rule')).toBe(false)
    expect(headless.ribbons.find((r) => r.id.startsWith('split'))!.path.startsWith('M370')).toBe(true)
    const local = model([1])
    local.fronts[0]!.dropsOn = ['c']
    expect(layout(local, 1200).boxes.find((b) => b.stage === 'vip')!.mark).toBe('attention')
    for (const width of [1200, 360]) {
      const alias = layout(model([], { kind: 'alias', alias: 'db.example.com', fronts: [], asks: [] }), width)
      expect(alias.boxes.map((b) => b.stage)).toEqual(['ask', 'name', 'vip'])
      expect(alias.boxes.at(-1)!.full).toBe('CNAME db.example.com')
      expect(alias.ribbons.every((r) => r.dashed)).toBe(true)
    }
  })
  it('vector 15: long names', () => {
    expect(fit('hostnames-7c9d5f6b8-2kd8x', capacity(130, true), true)).toBe('hostnam…2kd8x')
    expect(fit('hostnames.default.svc.cluster.local', capacity(190))).toBe('hostnames.default.svc.c…')
    expect(layout(three, 1200).boxes.find((b) => b.stage === 'name')!.full).toBe('hostnames.default.svc.cluster.local')
  })
  it('the trunk is never thinner than four pixels while something flows', () => {
    expect(trunk(0.01)).toBe(4)
    expect(trunk(0)).toBe(2)
  })
})
