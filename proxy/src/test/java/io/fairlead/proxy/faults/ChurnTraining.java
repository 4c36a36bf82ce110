package io.fairlead.proxy.faults;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.ipvs.KernelDummyInterface;
import io.fairlead.proxy.ipvs.KernelVirtualServers;
import io.fairlead.proxy.testing.PlanFollower;
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
          PlanFollower.apply(plane, Churn.plan(1));
          PlanFollower.apply(plane, Churn.plan(2));
        }
      }
      namespace.run(() -> KernelDummyInterface.open(IpAddress.Family.IPV4).close());
      namespace.run(() -> KernelVirtualServers.open().close());
    } catch (DataPlaneException e) {
      System.out.println("not trained: " + e.getMessage());
    } finally {
      namespace.delete();
    }
    System.out.println(Churn.numberOf(IpAddress.parse("10.66.0.3")));
  }
}
