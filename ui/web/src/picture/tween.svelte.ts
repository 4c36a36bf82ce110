// Paths that go from what they were to what they are in a quarter of a second.
const TIME = 250
const NUMBER = /-?\d+(\.\d+)?/g

/** Between two paths of the same form. Pure. */
export function between(from: string, to: string, part: number): string {
  const ends = to.match(NUMBER) ?? []
  const starts = from.match(NUMBER) ?? []
  if (starts.length !== ends.length) return to
  let i = 0
  return to.replace(NUMBER, () => {
    const a = Number(starts[i]), b = Number(ends[i++])
    return String(Math.round((a + (b - a) * part) * 10) / 10)
  })
}

export function tween(paths: () => [string, string][], still: () => boolean): { now: Record<string, string> } {
  const state = $state<{ now: Record<string, string> }>({ now: {} })
  let shown: Record<string, string> = {}
  $effect(() => {
    const target = Object.fromEntries(paths())
    const from = shown
    if (still() || window.matchMedia('(prefers-reduced-motion: reduce)').matches || Object.keys(from).length === 0) {
      shown = target
      state.now = target
      return
    }
    const began = performance.now()
    let frame = requestAnimationFrame(function step(at: number) {
      const part = Math.min(1, Math.max(0, (at - began) / TIME))
      shown = Object.fromEntries(Object.entries(target).map(([id, to]) => [id, part >= 1 ? to : between(from[id] ?? to, to, part)]))
      state.now = shown
      if (part < 1) frame = requestAnimationFrame(step)
    })
    return () => cancelAnimationFrame(frame)
  })
  return state
}
