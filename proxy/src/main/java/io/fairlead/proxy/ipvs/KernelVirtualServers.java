package io.fairlead.proxy.ipvs;

import io.fairlead.kernel.ipvs.Ipvs;
import io.fairlead.kernel.ipvs.IpvsChange;
import io.fairlead.kernel.ipvs.IpvsChangeFailure;
import io.fairlead.kernel.ipvs.IpvsTimeouts;
import io.fairlead.kernel.ipvs.ListedRealServer;
import io.fairlead.kernel.ipvs.ListedVirtualServer;
import io.fairlead.kernel.ipvs.VirtualServerAddress;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.proxy.core.DataPlaneException;
import java.util.List;
import java.util.function.Supplier;

/// The true table, in the network namespace of the thread that opens it.
public final class KernelVirtualServers implements VirtualServers {
  private final Ipvs ipvs;

  private KernelVirtualServers(Ipvs ipvs) {
    this.ipvs = ipvs;
  }

  /// Throws [DataPlaneException] when the kernel has no IPVS.
  public static KernelVirtualServers open() {
    return new KernelVirtualServers(
        asked(
            () -> {
              try {
                return Ipvs.open();
              } catch (SystemCallException e) {
                if (e.isNotFound()) {
                  throw new DataPlaneException(
                      "the kernel has no IPVS (module ip_vs is not loaded and cannot be)", e);
                }
                throw e;
              }
            }));
  }

  @Override
  public List<ListedVirtualServer> servers() {
    return asked(ipvs::servers);
  }

  @Override
  public List<ListedRealServer> realServers(VirtualServerAddress endpoint) {
    return asked(() -> ipvs.realServers(endpoint));
  }

  @Override
  public List<IpvsChangeFailure> apply(List<? extends IpvsChange> changes) {
    return asked(() -> ipvs.apply(changes));
  }

  @Override
  public IpvsTimeouts timeouts() {
    return asked(ipvs::timeouts);
  }

  @Override
  public void setTimeouts(IpvsTimeouts timeouts) {
    boolean _ =
        asked(
            () -> {
              ipvs.setTimeouts(timeouts);
              return true;
            });
  }

  private static <T> T asked(Supplier<T> question) {
    try {
      return question.get();
    } catch (SystemCallException e) {
      throw new DataPlaneException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public void close() {
    ipvs.close();
  }
}
