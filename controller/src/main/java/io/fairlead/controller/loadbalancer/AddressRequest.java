package io.fairlead.controller.loadbalancer;

import io.fairlead.api.net.IpAddress;
import io.fairlead.api.net.IpAddress.Family;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a Service asks for. The annotations of MetalLB, kube-vip and Cilium are understood where
/// ours are absent, so that Services need no change when they move here.
///
/// @param families those it is to have, in order
/// @param all whether it is served only with all of them
/// @param addresses those it names, by family
/// @param pool the only pool to take from; empty for any
/// @param sharingKey Services with the same one may share an address; empty for none
/// @param problem why it cannot be served as it is; null when it can
record AddressRequest(
    List<Family> families,
    boolean all,
    Map<Family, IpAddress> addresses,
    String pool,
    String sharingKey,
    @Nullable String problem) {
  static final String ADDRESSES = "fairlead.dev/load-balancer-ips";
  static final String POOL = "fairlead.dev/address-pool";
  static final String SHARING = "fairlead.dev/allow-shared-ip";
  static final String REASSIGN = "fairlead.dev/reassign";

  /// Longer lists are nothing but an attempt to cost us time.
  private static final int LONGEST = 200;

  static AddressRequest of(BalancedService service) {
    boolean dual = !service.familyPolicy().equals("SingleStack") && service.families().size() > 1;
    List<Family> families = dual ? service.families() : service.families().subList(0, 1);
    Map<Family, IpAddress> addresses = new EnumMap<>(Family.class);
    String problem = addresses(service, families, addresses);
    return new AddressRequest(
        families,
        service.familyPolicy().equals("RequireDualStack"),
        problem == null ? addresses : Map.of(),
        service.annotation(POOL, "metallb.io/address-pool", "metallb.universe.tf/address-pool"),
        service.annotation(
            SHARING,
            "metallb.io/allow-shared-ip",
            "metallb.universe.tf/allow-shared-ip",
            "lbipam.cilium.io/sharing-key"),
        problem);
  }

  private static @Nullable String addresses(
      BalancedService service, List<Family> families, Map<Family, IpAddress> addresses) {
    String list =
        service.annotation(
            ADDRESSES,
            "metallb.io/loadBalancerIPs",
            "metallb.universe.tf/loadBalancerIPs",
            "kube-vip.io/loadbalancerIPs",
            "lbipam.cilium.io/ips");
    if (list.length() > LONGEST) {
      return "the annotation asks for more than one address of each family";
    }
    if (!list.isEmpty()) {
      for (String text : list.split(",", -1)) {
        String problem = add(text.strip(), families, addresses);
        if (problem != null) {
          return problem;
        }
      }
    }
    if (service.loadBalancerIp().isBlank()) {
      return null;
    }
    if (list.isEmpty()) {
      return add(service.loadBalancerIp().strip(), families, addresses);
    }
    IpAddress single = IpAddress.parseOrNull(service.loadBalancerIp().strip());
    return addresses.containsValue(single)
        ? null
        : "the annotation asks for "
            + list
            + " and spec.loadBalancerIP for "
            + service.loadBalancerIp()
            + ": they differ";
  }

  private static @Nullable String add(
      String text, List<Family> families, Map<Family, IpAddress> addresses) {
    IpAddress address = IpAddress.parseOrNull(text);
    if (address == null) {
      return "\"" + text + "\" is no IP address";
    }
    if (!families.contains(address.family())) {
      return address + " is " + address.family() + ", a family that the Service does not have";
    }
    return addresses.put(address.family(), address) == null
        ? null
        : "two addresses of " + address.family() + " are asked for";
  }
}
