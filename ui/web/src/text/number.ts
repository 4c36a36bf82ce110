// Numbers and durations as the command line writes them.

export const count = (n: number): string => String(Math.round(n)).replace(/\B(?=(\d{3})+(?!\d))/g, ',')
export const rate = (n: number): string => (n >= 100 ? count(n) : n >= 10 ? n.toFixed(1).replace(/\.0$/, '') : n.toFixed(1))

export function bytes(n: number): string {
  for (const [unit, size] of [['GB', 1e9], ['MB', 1e6], ['kB', 1e3]] as const) if (n >= size) return (n / size).toFixed(1) + unit
  return Math.round(n) + 'B'
}

/** `41 ms`, `12m`, `3h12m`. */
export function duration(millis: number): string {
  if (millis < 1000) return `${Math.max(0, Math.round(millis))} ms`
  const seconds = Math.floor(millis / 1000)
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`
  return `${Math.floor(hours / 24)}d`
}

/** How long ago, in no less than seconds. */
export const age = (millis: number): string => duration(Math.max(1000, millis))

/** Time of day, with the date when that is another one than today's. */
export function clock(iso: string, now: number): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return iso
  const two = (n: number) => String(n).padStart(2, '0')
  const day = (d: Date) => `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}`
  const time = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
  return day(at) === day(new Date(now)) ? time : `${day(at)} ${time}`
}
