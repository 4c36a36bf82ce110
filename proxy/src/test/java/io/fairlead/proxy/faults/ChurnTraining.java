package io.fairlead.proxy.faults;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.namespace.NetworkNamespace;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.ipvs.KernelDevice;
import io.fairlead.proxy.ipvs.KernelVirtualServers;
import java.util.List;

/// A run that does a little of what [Churn] does, so that a JVM learns which classes to put into a
/// cache. IPVS is only opened: most kernels lack it.
final class ChurnTraining {
  private ChurnTraining() {}

  public static void main(String[] arguments) {
    NetworkNamespace namespace = NetworkNamespace.create("fltrain" + ProcessHandle.current().pid());
    try {
      for (String mode : List.of("nftables", "iptables")) {
        try (DataPlane plane = Churn.open(mode, namespace)) {
          plane.apply(Churn.plan(1));
          plane.apply(Churn.plan(2));
        }
      }
      namespace.run(() -> KernelDevice.open(IpAddress.Family.IPV4).close());
      namespace.run(() -> KernelVirtualServers.open().close());
    } catch (DataPlaneException e) {
      System.out.println("not trained: " + e.getMessage());
    } finally {
      namespace.delete();
    }
    System.out.println(Churn.numberOf(IpAddress.parse("10.66.0.3")));
  }
}
