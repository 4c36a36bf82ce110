// Requests that are no stream. The session's token goes with all that may change something.
import type { Sentence } from '../text/t.svelte'

export class Failure extends Error {
  constructor(readonly code: number, readonly reason: string, message: string) {
    super(message)
  }
}

export interface Session {
  user: string; groups: string[]; token: string; epoch: string; version: string
  now: string; until: string; writes: boolean; rights: { trace: boolean; repair?: boolean; mode?: boolean }
}
export interface Finding extends Sentence { code: string; severity: string; subject: string; kind: string; source: string }
export interface CommandAnswer<D> { command: string; exit: number; document: D | null; text?: string; error: string }

let token = ''
export const keep = (session: Session): Session => {
  token = session.token
  return session
}

async function answer<T>(sent: Promise<Response>): Promise<T> {
  let response: Response
  try {
    response = await sent
  } catch {
    throw new Failure(0, 'NoAnswer', '')
  }
  const body = (await response.json().catch(() => ({}))) as { reason?: string; message?: string }
  if (!response.ok) throw new Failure(response.status, body.reason ?? '', body.message ?? '')
  return body as T
}

export const get = <T>(path: string): Promise<T> =>
  answer<T>(fetch(`/ui/api/v1/${path}`, { headers: { Accept: 'application/json' } }))

/** A text that comes with the page. */
export async function text(path: string): Promise<string> {
  const response = await fetch('/ui/' + path).catch(() => null)
  if (!response?.ok) throw new Failure(response?.status ?? 0, 'NoAnswer', path)
  return response.text()
}

const send = <T>(url: string, body: object): Promise<T> =>
  answer<T>(
    fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Fairlead-Token': token },
      body: JSON.stringify(body),
    }),
  )
/** An answer whose lines are told as they come; the last one has the answer. */
export async function postLines<T>(path: string, body: object, told: (line: Record<string, unknown>) => void): Promise<T> {
  const response = await fetch(`/ui/api/v1/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/x-ndjson, application/json', 'X-Fairlead-Token': token },
    body: JSON.stringify(body),
  }).catch(() => null)
  if (response === null) throw new Failure(0, 'NoAnswer', '')
  if (!response.ok || response.body === null || !response.headers.get('Content-Type')?.includes('ndjson')) return answer<T>(Promise.resolve(response))
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
    if (done || value === undefined) throw new Failure(0, 'NoAnswer', '')
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    for (const text of lines) {
      const line = JSON.parse(text) as { answer?: T; status?: { code: number; reason?: string; message?: string } }
      if (line.answer !== undefined) return line.answer
      if (line.status !== undefined) throw new Failure(line.status.code, line.status.reason ?? '', line.status.message ?? '')
      told(line)
    }
  }
}
export const post = <T>(path: string, body: object): Promise<T> => send(`/ui/api/v1/${path}`, body)
/** A code of a link, a bearer token, or nothing but the certificate that the browser shows. */
export const login = (credential: { code?: string; token?: string }): Promise<Session> => send('/ui/login', credential)
export const logout = (): Promise<object> => send('/ui/logout', {})
