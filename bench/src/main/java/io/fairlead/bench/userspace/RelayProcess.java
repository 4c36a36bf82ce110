package io.fairlead.bench.userspace;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.userspace.balance.BalancingPolicy;
import io.fairlead.proxy.userspace.balance.EndpointPool;
import io.fairlead.proxy.userspace.balance.EndpointWeights;
import io.fairlead.proxy.userspace.relay.Portal;
import io.fairlead.proxy.userspace.relay.RelaySettings;
import io.fairlead.proxy.userspace.relay.UserspaceRelay;
import io.fairlead.work.Ticker;
import java.util.List;
import java.util.stream.Stream;

/// The userspace mode's relay in a process of its own. Arguments: `PORT ENDPOINT,ENDPOINT...` in
/// pairs. Ends with its standard input.
public final class RelayProcess {
  private static final int MACHINE = 2;

  private RelayProcess() {}

  public static void main(String[] words) throws Exception {
    // It has a core of its own, but the machine has more.
    RelaySettings settings = RelaySettings.forProcessors(MACHINE).withThreads(1);
    try (UserspaceRelay relay = UserspaceRelay.start("relay", settings, Ticker.system())) {
      for (int i = 0; i < words.length; i += 2) {
        EndpointPool pool = new EndpointPool(words[i], Ticker.system(), new java.util.Random(1));
        List<Backend> backends =
            Stream.of(words[i + 1].split(","))
                .map(each -> each.split(":"))
                .map(each -> backend(each[0], each[1]))
                .toList();
        pool.update(
            new EndpointPool.Specification(
                backends, BalancingPolicy.ROUND_ROBIN, EndpointWeights.parse(""), 0));
        Portal _ =
            relay.open(
                Protocol.TCP,
                IpAddress.parse(UserspaceTestbed.NODE),
                Integer.parseInt(words[i]),
                pool);
      }
      System.out.println("ready");
      int end = System.in.read();
      while (end >= 0) {
        end = System.in.read();
      }
    }
  }

  private static Backend backend(String address, String port) {
    return Backend.ready(IpAddress.parse(address), Integer.parseInt(port), false);
  }
}
