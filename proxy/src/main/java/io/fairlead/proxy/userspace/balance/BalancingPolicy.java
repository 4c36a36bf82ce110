package io.fairlead.proxy.userspace.balance;

import io.fairlead.proxy.core.ServicePort;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// How a pool chooses among its endpoints: the annotation `fairlead.dev/userspace-policy`.
public enum BalancingPolicy {
  /// Each in turn.
  ROUND_ROBIN("round-robin"),
  /// The one with the fewest connections now.
  LEAST_CONNECTIONS("least-connections"),
  /// In turn, but some more often: see {@link EndpointWeights}.
  WEIGHTED("weighted"),
  /// By the client's address: the same client gets the same endpoint, and a change of endpoints
  /// moves only the clients it must.
  HASH("hash");

  /// The option of a service port that names a policy.
  public static final String OPTION = "userspace-policy";

  private final String word;

  BalancingPolicy(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }

  /// The policy of that name; null when there is none.
  public static @Nullable BalancingPolicy of(String word) {
    return Arrays.stream(values())
        .filter(policy -> policy.word.equals(word))
        .findFirst()
        .orElse(null);
  }

  /// What a service port asks for; round robin when it asks for nothing, or for something unknown.
  public static BalancingPolicy of(ServicePort port) {
    BalancingPolicy found = of(port.options().getOrDefault(OPTION, ""));
    return found == null ? ROUND_ROBIN : found;
  }

  /// Why what a service port asks for cannot be; empty when it can.
  public static String problem(ServicePort port) {
    String asked = port.options().get(OPTION);
    return asked == null || of(asked) != null
        ? ""
        : "no policy is called \""
            + asked
            + "\"; there are "
            + Arrays.stream(values()).map(BalancingPolicy::word).collect(Collectors.joining(", "));
  }
}
