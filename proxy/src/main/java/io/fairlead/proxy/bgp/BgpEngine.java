package io.fairlead.proxy.bgp;

import java.util.List;

/// A program that speaks BGP. Used by one thread at a time.
public interface BgpEngine extends AutoCloseable {
  /// Makes it say exactly this. Sessions that do not change stay up; routes that do not change are
  /// not withdrawn in between. Starts what is needed, and ends it when there is no session. Does
  /// the same again when nothing differs.
  ///
  /// @throws BgpEngineException when it does not run or refuses; what it says then is what it said
  ///   before, or nothing
  void apply(BgpConfiguration configuration);

  /// Whether it says something to a router, perhaps since an earlier process of ours. Never throws.
  boolean isActive();

  /// How the sessions stand that were applied last, by name; none when nothing was applied.
  ///
  /// @throws BgpEngineException when it does not run: apply again
  List<BgpSessionState> states();

  /// Withdraws everything and ends what it started. What cannot be done is logged. Idempotent.
  @Override
  void close();
}
