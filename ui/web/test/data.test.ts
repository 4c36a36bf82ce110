import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { apply } from '../src/data/apply'
import { remedy } from '../src/data/remedy'
import { documentOf } from '../src/data/stream'
import { listCommand } from '../src/app/commands'
import { route } from '../src/app/routes'
import { inlines, lesson, personal, story } from '../src/text/story'
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

describe('without a stream', () => {
  it.each([
    ['services?q=code%3AFL102', 'services?q=code%3AFL102'], ['service:shop/web', 'services/shop/web'], ['flows:shop/web', 'services/shop/web/flows'],
    ['history', 'history'], ['history:shop/web', 'services/shop/web/history'], ['nodes', 'nodes'], ['rates', ''],
  ])('%s is asked for as %s', (topic, path) => expect(documentOf(topic)).toBe(path))
})

describe('remedy', () => {
  it.each([
    ['FL102', { patch: '{"app":"web"}' }, { kind: 'selector', namespace: 'shop', name: 'web', selector: { app: 'web' } }],
    ['FL102', { patch: 'no json' }, undefined], ['FL102', {}, undefined],
    ['FL106', { owner: 'deployment/web-v2' }, { kind: 'scale', namespace: 'shop', name: 'web-v2', replicas: 1 }],
    ['FL106', { owner: 'statefulset/web' }, undefined], ['FL110', { owner: 'deployment/web' }, undefined],
  ])('%s with %o', (code, values, change) => expect(remedy({ code, values: values as Record<string, string> }, 'shop', 'web')).toEqual(change))
})

describe('the command of the list', () => {
  it.each([
    ['', 'fairlead explain -A'], ['q=web', 'fairlead explain -A | grep -iF web'], ['ns=shop', "fairlead explain -A | grep -F ' shop/'"],
    ['q=ns:shop+code:fl102', "fairlead explain -A | grep -F ' shop/' | grep -F FL102"], ['state=dead', "fairlead explain -A | grep '^✕'"],
    ['q=state:serve', "fairlead explain -A | grep -v '^[✕▲]'"], ['q=10.96.0.1', 'fairlead explain -A'], ['q=name:web', "fairlead explain -A | grep -E '/web( |$)'"],
    ["q=a'b", "fairlead explain -A | grep -iF 'a'\\''b'"], ['q=$(x)', "fairlead explain -A | grep -iF '$(x)'"],
  ])('%s is %s', (query, command) => expect(listCommand(new URLSearchParams(query))).toBe(command))
})

describe('routes', () => {
  it.each([
    ['/ui/', 'services', ''], ['/ui/svc/shop/web', 'service', 'web'], ['/ui/rules/shop/web', 'rules', 'web'], ['/ui/learn/FL102', 'learn', 'FL102'],
    ['/ui/learn/walk-1', 'learn', 'walk-1'], ['/ui/dns', 'names', ''], ['/ui/nodes/x', 'lost', ''], ['/ui/svc/shop', 'lost', ''], ['/ui/svc/%E0/web', 'lost', ''], ['/ui/svc/default/a;reboot', 'lost', ''], ['/ui/rules/default/$(x)', 'lost', ''], ['/ui/learn/`x`', 'lost', ''],
  ])('%s is %s %s', (path, page, name) => expect(route(path, '')).toMatchObject({ page, name }))
})

describe('the walkthrough', () => {
  const text = (file: string) => readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8')
  const both = ['walkthrough.md', 'zh-CN/walkthrough.md'].map((file) => story(text(file)))
  it('has the same chapters in both languages, and none is empty', () => {
    expect(both[1]!.map((c) => [c.id, c.blocks.filter((b) => b.kind === 'console').length])).toEqual(both[0]!.map((c) => [c.id, c.blocks.filter((b) => b.kind === 'console').length]))
    expect(both[0]!.length).toBeGreaterThan(10)
    for (const chapter of both.flat()) expect(chapter.blocks.length, chapter.title).toBeGreaterThan(0)
  })
  it('leaves no mark of its form in the text', () => {
    for (const chapter of both.flat())
      for (const block of chapter.blocks)
        for (const one of block.kind === 'p' || block.kind === 'h' ? block.inlines : block.kind === 'list' ? block.items.flat() : [])
          if (one.kind === 'text') expect(one.text).not.toMatch(/`|\]\(|\*\*|^#|<!--|^\|/)
  })
  it('knows what it is made of', () => {
    expect(inlines('a `b` **c** [d `e`](x.md)')).toEqual([
      { kind: 'text', text: 'a ' }, { kind: 'code', text: 'b' }, { kind: 'text', text: ' ' }, { kind: 'strong', text: 'c' },
      { kind: 'text', text: ' ' }, { kind: 'text', text: 'd ' }, { kind: 'code', text: 'e' },
    ])
    expect(story('# T\n\n```console\n$ a\nx\ny\n$ b\n```\n')[0]!.blocks).toEqual([{ kind: 'console', steps: [{ command: 'a', output: 'x\ny' }, { command: 'b', output: '' }] }])
  })
  it.each(['proxy', 'kernel', 'dns', 'controller', 'policy', 'agent'])('what the README of %s teaches comes before its code', (module) => {
    const chapters = lesson(readFileSync(new URL(`../../../${module}/README.md`, import.meta.url), 'utf8'))
    expect(chapters.length).toBeGreaterThan(1)
    expect(chapters.flatMap((c) => c.blocks).length).toBeGreaterThan(3)
    expect(chapters.map((c) => c.title)).not.toContain('How it is tested')
  })
  it('keeps drawings as they are', () => expect(story('# T\n\n```\na ─▶ b\n```\n')[0]!.blocks).toEqual([{ kind: 'pre', text: 'a ─▶ b' }]))
  it.each([
    ['kubectl get endpointslices -l kubernetes.io/service-name=hostnames', 'kubectl get endpointslices -l kubernetes.io/service-name=web -n shop'],
    ['sudo ./fairlead trace svc/hostnames | grep nat', 'sudo ./fairlead trace svc/web -n shop | grep nat'],
    ['kubectl get service hostnames-headless', 'kubectl get service hostnames-headless'],
    ['dig +short @10.96.0.10 hostnames.default.svc.cluster.local', 'dig +short @10.96.0.10 web.shop.svc.cluster.local'],
    ['kubectl apply -f examples/hostnames.yaml', 'kubectl apply -f examples/hostnames.yaml'],
  ])('%s names the reader\'s own Service', (command, own) => expect(personal(command, { namespace: 'shop', name: 'web' })).toBe(own))
})
