package io.fairlead.proxy.flows;

/// The modes whose verdicts are allowed to differ in some rows.
public enum Mode {
  IPTABLES,
  NFTABLES,
  IPVS,
  USERSPACE
}
