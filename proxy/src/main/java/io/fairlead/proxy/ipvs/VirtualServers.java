package io.fairlead.proxy.ipvs;

import io.fairlead.kernel.ipvs.Change;
import io.fairlead.kernel.ipvs.Endpoint;
import io.fairlead.kernel.ipvs.ListedReal;
import io.fairlead.kernel.ipvs.ListedServer;
import io.fairlead.kernel.ipvs.Refusal;
import io.fairlead.kernel.ipvs.Timeouts;
import java.util.List;

/// The table of the kernel's load balancer. Failures are
/// [io.fairlead.proxy.core.DataPlaneException].
public interface VirtualServers extends AutoCloseable {

  /// All virtual servers, of both families.
  List<ListedServer> servers();

  /// The real servers of one; none when it is not there.
  List<ListedReal> realServers(Endpoint endpoint);

  /// Makes changes one after another and says which were refused.
  List<Refusal> apply(List<? extends Change> changes);

  Timeouts timeouts();

  /// Sets those that are not 0.
  void setTimeouts(Timeouts timeouts);

  @Override
  void close();
}
