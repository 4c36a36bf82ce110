// All words of the page, in the language that is chosen.
import en from './en.json'
import findingsEn from './findings.en.json'
import findingsZh from './findings.zh-CN.json'
import zh from './zh-CN.json'
import { clock } from './number'
import { fill, type Entries, type Values } from './words'

export type Language = 'en' | 'zh-CN'
export type Key = keyof typeof en
export interface Sentence { key: string; values: Record<string, string> }

const KEPT = 'fairlead.language'
const pages: Record<Language, Entries> = { en, 'zh-CN': zh }
const findings: Record<Language, Entries> = { en: findingsEn, 'zh-CN': findingsZh }

function first(): Language {
  const kept = localStorage.getItem(KEPT)
  if (kept === 'en' || kept === 'zh-CN') return kept
  return navigator.languages.some((l) => l.toLowerCase().startsWith('zh')) ? 'zh-CN' : 'en'
}

class Words {
  language = $state<Language>(first())

  choose(language: Language): void {
    this.language = language
    localStorage.setItem(KEPT, language)
    document.documentElement.lang = language
  }
}
export const words = new Words()
document.documentElement.lang = words.language

const shown = (iso: string) => clock(iso, Date.now())

export const t = (key: Key, values: Values = {}): string => fill(pages[words.language], key, values, shown)
/** A sentence of the server. */
export const say = (sentence: Sentence): string => fill(findings[words.language], sentence.key, sentence.values, shown)
/** The next step of a finding; empty when it has none. */
export const next = (sentence: Sentence): string =>
  findings[words.language][`${sentence.key}.next`] === undefined
    ? ''
    : fill(findings[words.language], `${sentence.key}.next`, sentence.values, shown)
