package io.fairlead.dns.plugin;

/// How long a reply stays right: while it holds, the chain would give the same reply to the same
/// question, whichever client sends it. The server then repeats the reply's bytes without running
/// the chain. Safe for any thread; asked for every repeated reply, so it only compares.
public interface ReplyValidity {
  /// Whether the chain would still give that reply.
  boolean holds(long nanos);

  /// Counts a repeated reply, as the plugin would have counted the query.
  default void repeated(long nanos) {}

  /// Valid while both are.
  default ReplyValidity and(ReplyValidity other) {
    ReplyValidity self = this;
    return new ReplyValidity() {
      @Override
      public boolean holds(long nanos) {
        return self.holds(nanos) && other.holds(nanos);
      }

      @Override
      public void repeated(long nanos) {
        self.repeated(nanos);
        other.repeated(nanos);
      }
    };
  }
}
