package io.fairlead.proxy.ipvs;

import io.fairlead.kernel.ipvs.IpvsChange;
import io.fairlead.kernel.ipvs.IpvsChangeFailure;
import io.fairlead.kernel.ipvs.IpvsTimeouts;
import io.fairlead.kernel.ipvs.ListedRealServer;
import io.fairlead.kernel.ipvs.ListedVirtualServer;
import io.fairlead.kernel.ipvs.VirtualServerAddress;
import java.util.List;

/// The table of the kernel's load balancer. Failures are
/// [io.fairlead.proxy.core.DataPlaneException].
public interface VirtualServers extends AutoCloseable {

  /// All virtual servers, of both families.
  List<ListedVirtualServer> servers();

  /// The real servers of one; none when it is not there.
  List<ListedRealServer> realServers(VirtualServerAddress endpoint);

  /// Makes changes one after another and says which were refused.
  List<IpvsChangeFailure> apply(List<? extends IpvsChange> changes);

  IpvsTimeouts timeouts();

  /// Sets those that are not 0.
  void setTimeouts(IpvsTimeouts timeouts);

  @Override
  void close();
}
