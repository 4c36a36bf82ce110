package io.fairlead.controller.loadbalancer;

import io.fairlead.controller.loadbalancer.BalancedService.ServicePort;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// That Services get the nodes' own addresses, `--load-balancer-pool=node`, and which ports the
/// nodes keep for themselves.
///
/// @param firstNodePort the lowest port that Services of type NodePort get
/// @param lastNodePort the highest
public record NodeAddressPool(int firstNodePort, int lastNodePort) {
  /// The name that Services show in `fairlead.dev/allocated-from`.
  static final String NAME = "node";

  /// Node ports as servers give them out unless told otherwise.
  public static final NodeAddressPool STANDARD = new NodeAddressPool(30000, 32767);

  private static final Pattern RANGE = Pattern.compile("(\\d{1,5})-(\\d{1,5})");

  // Remote shells, name servers, routers, etcd and the API server of the machine itself.
  private static final Set<Integer> KEPT = Set.of(22, 53, 179, 2379, 2380, 6443);
  private static final int FIRST_COMPONENT = 10248;
  private static final int LAST_COMPONENT = 10259;

  /// @param nodePorts `30000-32767`; anything else means the standard one
  public static NodeAddressPool with(String nodePorts) {
    Matcher range = RANGE.matcher(nodePorts);
    return range.matches()
        ? new NodeAddressPool(Integer.parseInt(range.group(1)), Integer.parseInt(range.group(2)))
        : STANDARD;
  }

  /// Whether a Service must not draw the port away from the machine.
  boolean keeps(ServicePort port) {
    int number = port.port();
    return KEPT.contains(number)
        || (number >= FIRST_COMPONENT && number <= LAST_COMPONENT)
        || (number >= firstNodePort && number <= lastNodePort);
  }
}
