package io.fairlead.proxy.iptables;

import io.fairlead.kernel.nftables.NftEvent;
import io.fairlead.kernel.nftables.NftFamily;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/// Recognises changes that other programs make to our rules, among our own changes and those that
/// do not concern us.
///
/// How it works: with the nf_tables variant of the tools, every rule is an object of nf_tables, and
/// the kernel reports to its listeners what changed and through which socket. The kernel names a
/// socket after the process that opened it, so what our own `iptables-restore` did carries the
/// number of that process. A number that is not recognised costs one comparison of the tables, no
/// more.
///
/// Thread-safe.
final class ForeignChanges {
  private static final int REMEMBERED = 256;
  private static final Set<String> TABLES =
      Set.of(FixedRules.MANGLE, FixedRules.FILTER, FixedRules.NAT);

  private final NftFamily family;
  private final Deque<Integer> own = new ArrayDeque<>();

  ForeignChanges(NftFamily family) {
    this.family = family;
  }

  /// A process of ours is about to write.
  synchronized void started(long process) {
    if (own.size() == REMEMBERED) {
      own.removeFirst();
    }
    own.addLast((int) process);
  }

  /// Whether the event may mean that our rules are not what they were.
  boolean concerns(NftEvent event) {
    return switch (event) {
      case NftEvent.Lost() -> true;
      case NftEvent.Changed changed ->
          changed.table().family() == family
              && TABLES.contains(changed.table().name())
              && touchesUs(changed)
              && !isOwn(changed.port());
      case NftEvent.Committed _, NftEvent.Traced _ -> false;
    };
  }

  /// Our chains carry our prefix; the jumps to them are rules of chains that do not.
  private static boolean touchesUs(NftEvent.Changed changed) {
    return switch (changed.what()) {
      case TABLE -> changed.deleted();
      case CHAIN -> changed.deleted() && changed.name().startsWith("KUBE-");
      case RULE -> changed.deleted() || changed.name().startsWith("KUBE-");
      case SET, ELEMENT, OTHER -> false;
    };
  }

  private synchronized boolean isOwn(int port) {
    return own.contains(port);
  }
}
