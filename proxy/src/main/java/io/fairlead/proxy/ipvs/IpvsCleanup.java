package io.fairlead.proxy.ipvs;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.ipvs.IpvsChange;
import io.fairlead.kernel.ipvs.ListedVirtualServer;
import io.fairlead.kernel.ipvs.VirtualServerAddress;
import io.fairlead.proxy.core.NodeFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Takes away what any process of this mode has left. A virtual server is taken for ours when its
/// address is on our interface or our sets know its port; others stay.
record IpvsCleanup(IpvsStateReader reading, IpvsSettings settings) {

  void run(boolean besideIptables) {
    Map<SetKind, Set<String>> sets =
        SetListing.parse(reading.backends().sets().save(), reading.family());
    servers(sets);
    reading.backends().device().delete();
    rules(besideIptables);
    // Rules named them until now.
    List<String> lines =
        sets.keySet().stream().map(set -> "destroy " + set.name(reading.family())).toList();
    if (!lines.isEmpty()) {
      reading.backends().sets().restore(String.join("\n", lines) + "\n");
    }
  }

  private void servers(Map<SetKind, Set<String>> sets) {
    Set<IpAddress> bound = reading.backends().device().addresses();
    List<IpvsChange> changes = new ArrayList<>();
    for (ListedVirtualServer listed : reading.servers()) {
      VirtualServerAddress endpoint = listed.server().endpoint();
      IpAddress address = IpvsStateReader.address(endpoint);
      if (!settings.excludes(address) && (bound.contains(address) || isKnown(endpoint, sets))) {
        changes.add(new IpvsChange.DeleteServer(endpoint));
      }
    }
    reading.backends().servers().apply(changes);
  }

  private static boolean isKnown(VirtualServerAddress endpoint, Map<SetKind, Set<String>> sets) {
    String place =
        IpvsStateReader.address(endpoint) + "," + endpoint.protocolName() + ":" + endpoint.port();
    String number = String.valueOf(endpoint.port());
    return has(sets, SetKind.CLUSTER_IP, place)
        || has(sets, SetKind.EXTERNAL_IP, place)
        || has(sets, SetKind.EXTERNAL_IP_LOCAL, place)
        || has(sets, SetKind.LOAD_BALANCER, place)
        || has(sets, SetKind.NODE_PORT_SCTP, place)
        || (endpoint.protocolName().equals("tcp") && has(sets, SetKind.NODE_PORT_TCP, number))
        || (endpoint.protocolName().equals("udp") && has(sets, SetKind.NODE_PORT_UDP, number));
  }

  private static boolean has(Map<SetKind, Set<String>> sets, SetKind set, String text) {
    return sets.getOrDefault(set, Set.of()).contains(text);
  }

  private void rules(boolean besideIptables) {
    SavedIptables tables = SavedIptables.read(reading.backends().rules());
    Map<String, Map<String, List<String>>> ours =
        IpvsChains.of(
            NodeFacts.of(
                "", IpAddress.parse(reading.family() == IpAddress.Family.IPV4 ? "0.0.0.0" : "::")),
            new DesiredIpvsState());
    IpvsRestoreDocument document = new IpvsRestoreDocument();
    for (SavedIptables.Jump jump : tables.jumps()) {
      if (IpvsChains.JUMPS.contains(jump) && !(besideIptables && Leftovers.isShared(jump))) {
        document.delete(jump);
      }
    }
    for (String table : SavedIptables.BOTH) {
      for (String chain : ours.getOrDefault(table, Map.of()).keySet()) {
        if (tables.chains(table).containsKey(chain)
            && !(besideIptables && Leftovers.isShared(table, chain))) {
          document.remove(table, chain);
        }
      }
    }
    if (document.writes() > 0) {
      reading.backends().rules().restore(document.text());
    }
  }
}
