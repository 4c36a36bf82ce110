// One listener for all keys. Off where something is typed.
import { store } from '../data/store.svelte'
import type { Key } from '../text/t.svelte'
import { router } from './router.svelte'

export interface Binding { keys: string; what: Key; run: () => void }

const JUMPS: Record<string, string> = {
  s: '/ui/', t: '/ui/trace', r: '/ui/rules', n: '/ui/dns', o: '/ui/nodes', i: '/ui/history', m: '/ui/machine', l: '/ui/learn',
}

class Keys {
  help = $state(false)
  command = $state('')
  bindings = $state.raw<Binding[]>([])
  private jump = 0

  constructor() {
    window.addEventListener('keydown', (event) => this.press(event))
  }

  private press(event: KeyboardEvent): void {
    const target = event.target as HTMLElement
    const typing = target.closest('input, textarea, select') !== null
    if (event.key === 'Escape' && typing) return target.blur()
    // A dialog has its own keys: Escape closes it.
    if (document.querySelector('dialog[open]') !== null) return
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return
    if (performance.now() < this.jump && JUMPS[event.key] !== undefined) {
      this.jump = 0
      event.preventDefault()
      return router.go(JUMPS[event.key]!)
    }
    const own = this.bindings.find((binding) => binding.keys === event.key)
    if (own) {
      event.preventDefault()
      return own.run()
    }
    this.common(event)
  }

  private common(event: KeyboardEvent): void {
    switch (event.key) {
      case 'g': this.jump = performance.now() + 1500; break
      case '?': this.help = true; break
      case 'Escape': history.back(); break
      case '.': store.pause(); break
      case 'y': void copy(this.command); break
      case 'c': void copy(location.href); break
      case '/': document.querySelector<HTMLInputElement>('input[type=search]')?.focus(); break
      case 'j': case 'k': move(event.key === 'j' ? 1 : -1); break
      default: return
    }
    event.preventDefault()
  }
}

/** To the next thing of a list that can be opened. */
function move(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')]
  const at = rows.findIndex((row) => row === document.activeElement || row.contains(document.activeElement))
  rows[Math.max(0, Math.min(rows.length - 1, at < 0 ? 0 : at + by))]?.focus()
}

class Copied {
  text = $state('')
}
export const copied = new Copied()
export async function copy(text: string): Promise<void> {
  if (text === '') return
  await navigator.clipboard.writeText(text).catch(() => undefined)
  copied.text = text
  window.setTimeout(() => (copied.text = ''), 2000)
}
export const keys = new Keys()
