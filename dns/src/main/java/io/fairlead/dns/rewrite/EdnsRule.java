package io.fairlead.dns.rewrite;

import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Edns;
import io.fairlead.dns.wire.EdnsOption;
import io.fairlead.dns.wire.ImmutableBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Changes an EDNS option of the question.
///
/// @param data what to say in it
record EdnsRule(Action action, int code, Function<Query, ImmutableBytes> data)
    implements RewriteRule {
  private static final int UDP_SIZE = 1232;

  enum Action {
    /// Changes it where it is there, adds it where it is not.
    SET,
    /// Only adds it.
    APPEND,
    /// Only changes it.
    REPLACE,
    UNSET
  }

  @Override
  public @Nullable Effect apply(Query query) {
    Edns edns = query.edns();
    boolean there = edns != null && edns.option(code).isPresent();
    boolean fits =
        switch (action) {
          case SET -> true;
          case APPEND -> !there;
          case REPLACE, UNSET -> there;
        };
    if (!fits) {
      return null;
    }
    Edns before = edns == null ? new Edns(UDP_SIZE, 0, false, List.of()) : edns;
    List<EdnsOption> options = new ArrayList<>(before.options());
    options.removeIf(each -> each.code() == code);
    if (action != Action.UNSET) {
      options.add(new EdnsOption(code, data.apply(query)));
    }
    DnsMessage request = query.request();
    return Effect.of(
        query.withRequest(
            new DnsMessage(
                request.header(),
                request.questions(),
                request.answer(),
                request.authority(),
                request.additional(),
                new Edns(before.udpSize(), before.version(), before.dnssecOk(), options))));
  }
}
