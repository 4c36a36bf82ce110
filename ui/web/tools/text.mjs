// Takes the sentences of the command line into the page: the same words from one source.
import { readFileSync, writeFileSync } from 'node:fs'

const from = '../../insight/src/main/resources/io/fairlead/insight/finding/'

/** The entries of a Java property file, help pages left out: those are fetched when they are read. */
function properties(file) {
  const entries = {}
  const text = readFileSync(new URL('../' + from + file, import.meta.url), 'utf8')
  for (const line of text.replace(/\\\n\s*/g, '').split('\n')) {
    const at = line.indexOf('=')
    if (at > 0 && !line.startsWith('#') && !line.slice(0, at).endsWith('.help')) {
      entries[line.slice(0, at).trim()] = line
        .slice(at + 1)
        .replace(/\\(u[0-9a-fA-F]{4}|.)/g, (_, c) =>
          c[0] === 'u' && c.length === 5 ? String.fromCharCode(parseInt(c.slice(1), 16)) : c === 'n' ? '\n' : c,
        )
    }
  }
  return entries
}

function same(one, other, what) {
  const missing = Object.keys(one).filter((key) => !(key in other))
  if (missing.length > 0) throw new Error(`${what} lacks ${missing.join(', ')}`)
}

const en = properties('findings.properties')
const zh = properties('findings_zh_CN.properties')
same(en, zh, 'findings_zh_CN.properties')
const page = (name) => JSON.parse(readFileSync(new URL(`../src/text/${name}.json`, import.meta.url), 'utf8'))
same(page('en'), page('zh-CN'), 'zh-CN.json')
same(page('zh-CN'), page('en'), 'en.json')
const write = (name, entries) =>
  writeFileSync(new URL(`../src/text/${name}.json`, import.meta.url), JSON.stringify(entries, null, 1) + '\n')
write('findings.en', en)
write('findings.zh-CN', zh)
