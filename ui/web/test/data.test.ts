import { describe, expect, it } from 'vitest'
import { apply } from '../src/data/apply'
import en from '../src/text/en.json'
import zh from '../src/text/zh-CN.json'
import { bytes, count, duration, rate } from '../src/text/number'
import { fill } from '../src/text/words'
import { between } from '../src/picture/tween.svelte'

describe('apply', () => {
  it('sets below what is there and keeps the rest as it is', () => {
    const before = { a: { b: 1, c: { d: 2 } }, e: [1] }
    const after = apply(before, { set: { 'a/b': 3, 'a/x/y': 4 }, remove: ['e'] }) as typeof before
    expect(after).toEqual({ a: { b: 3, c: { d: 2 }, x: { y: 4 } } })
    expect(after.a.c).toBe(before.a.c)
    expect(before.a.b).toBe(1)
  })
  it('knows escapes', () => {
    expect(apply({}, { set: { 'p/10.0.0.1:80~1tcp~0': 1 }, remove: [] })).toEqual({ p: { '10.0.0.1:80/tcp~': 1 } })
  })
  it('removes first, so that what is set again is new', () => {
    expect(apply({ a: { b: 1 } }, { set: { 'a/c': 2 }, remove: ['a'] })).toEqual({ a: { c: 2 } })
  })
  it('a removal of what is not there makes nothing', () => {
    expect(apply({ a: 1 }, { set: {}, remove: ['x/y'] })).toEqual({ a: 1 })
  })
})

describe('vector 16: numbers as the command line has them', () => {
  it.each([[1234567, '1,234,567'], [999, '999'], [0, '0']])('count %s', (n, text) => expect(count(n)).toBe(text))
  it.each([[41, '41 ms'], [12 * 60_000, '12m'], [192 * 60_000, '3h12m'], [90_000, '90s']])('duration %s', (n, text) => expect(duration(n)).toBe(text))
  it.each([[118, '118'], [39.8, '39.8'], [0.5, '0.5']])('rate %s', (n, text) => expect(rate(n)).toBe(text))
  it('bytes', () => expect(bytes(15_900_000)).toBe('15.9MB'))
})

describe('words', () => {
  const entries = { FL1: '{what} of {name}', 'FL1.what.pod': 'the pod {name}', 'what.pod': 'a pod' }
  it('a listed word has a text of its own', () => {
    expect(fill(entries, 'FL1', { what: 'pod', name: 'x' }, (s) => s)).toBe('the pod x of x')
    expect(fill(entries, 'FL1', { what: 'other' }, (s) => s)).toBe('other of {name}')
  })
  it('both languages have the same keys and placeholders', () => {
    expect(Object.keys(zh)).toEqual(Object.keys(en))
    for (const [key, text] of Object.entries(en))
      expect([...(zh as Record<string, string>)[key]!.matchAll(/\{\w+\}/g)].map(String).sort(), key).toEqual([...text.matchAll(/\{\w+\}/g)].map(String).sort())
  })
})

describe('tween', () => {
  it('goes linearly between paths of one form', () => {
    expect(between('M0 10L20 30Z', 'M0 20L20 30Z', 0.5)).toBe('M0 15L20 30Z')
    expect(between('M0 0Z', 'M1 1L2 2Z', 0.5)).toBe('M1 1L2 2Z')
  })
})
