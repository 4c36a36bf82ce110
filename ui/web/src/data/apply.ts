// Deltas onto values, by structural copy: what did not change stays the same object. Pure.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export interface Delta { set: Record<string, Json>; remove: string[] }

const parts = (path: string): string[] => path.split('/').map((p) => p.replace(/~1/g, '/').replace(/~0/g, '~'))
const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function put(value: Json | undefined, path: string[], at: number, leaf: Json | undefined): Json {
  const copy: { [key: string]: Json } = isObject(value) ? { ...value } : {}
  const key = path[at]!
  if (at === path.length - 1) {
    if (leaf === undefined) delete copy[key]
    else copy[key] = leaf
  } else if (leaf !== undefined || isObject(copy[key])) {
    copy[key] = put(copy[key], path, at + 1, leaf)
  }
  return copy
}

export function apply(value: Json, delta: Delta): Json {
  let now = value
  for (const path of delta.remove) now = put(now, parts(path), 0, undefined)
  for (const [path, leaf] of Object.entries(delta.set)) now = put(now, parts(path), 0, leaf)
  return now
}
