// The change that the next step of a finding stands for, where the page can make it. Pure.
import { quoted } from '../app/commands'
import type { Finding } from './http'

export type Remedy =
  | { kind: 'selector'; namespace: string; name: string; selector: Record<string, string | null> }
  | { kind: 'scale'; namespace: string; name: string; replicas: number }

export function remedy(finding: Pick<Finding, 'code' | 'values'>, namespace: string, name: string): Remedy | undefined {
  if (finding.code === 'FL102' && finding.values.patch) {
    try {
      return { kind: 'selector', namespace, name, selector: JSON.parse(finding.values.patch) as Record<string, string | null> }
    } catch {
      return undefined
    }
  }
  const owner = /^deployments?(?:\.apps)?\/(.+)$/i.exec(finding.values.owner ?? '')?.[1]
  return finding.code === 'FL106' && owner !== undefined ? { kind: 'scale', namespace, name: owner, replicas: 1 } : undefined
}

/** What the page may change. */
export type Change = Remedy | { kind: 'mode'; mode: string } | { kind: 'repair'; node: string }

/** The command that makes the same change. */
export function changeCommand(change: Change): string {
  switch (change.kind) {
    case 'selector': return `kubectl patch svc ${quoted(change.name)} -n ${quoted(change.namespace)} --type=merge -p ${quoted(JSON.stringify({ spec: { selector: change.selector } }))}`
    case 'scale': return `kubectl scale deployment/${quoted(change.name)} -n ${quoted(change.namespace)} --replicas=${change.replicas}`
    case 'mode': return `fairlead mode ${quoted(change.mode)}`
    case 'repair': return `kubectl delete pod -n kube-system kube-proxy-${quoted(change.node)}`
  }
}
