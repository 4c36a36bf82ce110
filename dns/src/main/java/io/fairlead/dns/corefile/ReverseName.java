package io.fairlead.dns.corefile;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.wire.Name;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The address that a name in the reverse tree stands for.
public final class ReverseName {
  private static final Name IPV4 = Name.of("in-addr.arpa");
  private static final Name IPV6 = Name.of("ip6.arpa");
  private static final int NIBBLES = 32;

  private ReverseName() {}

  /// Null when the name is not that of a whole address.
  public static @Nullable IpAddress address(Name name) {
    if (name.isUnder(IPV4) && name.labelCount() == 6) {
      List<String> labels = name.labels();
      return IpAddress.parseOrNull(
          labels.get(3) + "." + labels.get(2) + "." + labels.get(1) + "." + labels.get(0));
    }
    if (!name.isUnder(IPV6) || name.labelCount() != NIBBLES + 2) {
      return null;
    }
    StringBuilder text = new StringBuilder();
    List<String> labels = name.labels();
    for (int i = NIBBLES - 1; i >= 0; i--) {
      if (labels.get(i).length() != 1) {
        return null;
      }
      text.append(labels.get(i));
      if (i % 4 == 0 && i > 0) {
        text.append(':');
      }
    }
    return IpAddress.parseOrNull(text.toString());
  }
}
