// Requests that are no stream. The session's token goes with all that may change something.
import type { Sentence } from '../text/t.svelte'

export class Failure extends Error {
  constructor(readonly code: number, readonly reason: string, message: string) {
    super(message)
  }
}

export interface Session {
  user: string; groups: string[]; token: string; epoch: string; version: string
  now: string; until: string; writes: boolean; rights: { trace: boolean }
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
export const post = <T>(path: string, body: object): Promise<T> => send(`/ui/api/v1/${path}`, body)
export const login = (code: string): Promise<Session> => send('/ui/login', { code })
export const logout = (): Promise<object> => send('/ui/logout', {})
