package io.fairlead.dns.rewrite;

import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// One rule of `rewrite`.
interface RewriteRule {
  /// What it makes of a query; null when it does not fit.
  @Nullable Effect apply(Query query);

  /// Whether it may ask questions of its own, see [io.fairlead.dns.plugin.ChainPlugin#mayBlock].
  default boolean mayBlock() {
    return false;
  }

  /// @param query what is asked instead
  /// @param onReply what happens to the answer
  record Effect(Query query, List<UnaryOperator<Reply>> onReply) {
    public Effect {
      onReply = List.copyOf(onReply);
    }

    static Effect of(Query query) {
      return new Effect(query, List.of());
    }

    static Effect later(Query query, UnaryOperator<Reply> onReply) {
      return new Effect(query, List.of(onReply));
    }
  }
}
