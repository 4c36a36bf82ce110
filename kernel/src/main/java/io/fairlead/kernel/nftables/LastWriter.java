package io.fairlead.kernel.nftables;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Remembers which program last changed something that a listener cares for.
///
/// How it works: the kernel reports what a transaction changed, and then that it was committed and
/// by which process. So a change that matters is joined with the next commit.
///
/// Written by the thread that brings events; read by any.
public final class LastWriter {
  private boolean matters;
  private volatile NftEvent.@Nullable Committed last;

  /// To be called with every event, in order.
  ///
  /// @param concerns whether it is a change of another program that matters
  public void seen(NftEvent event, boolean concerns) {
    if (concerns) {
      matters = true;
    } else if (matters && event instanceof NftEvent.Committed committed) {
      matters = false;
      last = committed;
    }
  }

  /// The newest one; empty before the first.
  public Optional<NftEvent.Committed> last() {
    return Optional.ofNullable(last);
  }
}
