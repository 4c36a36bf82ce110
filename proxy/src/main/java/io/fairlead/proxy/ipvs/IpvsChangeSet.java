package io.fairlead.proxy.ipvs;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.ipvs.IpvsChange;
import java.util.List;

/// Everything one sync changes, in the order in which it is done: nothing is reachable half-built.
/// Sets come first, for rules name them; then rules; virtual servers before the addresses that make
/// packets come to them; and in the other direction addresses before virtual servers before
/// entries.
///
/// Where the iptables mode was in charge its rules still send packets on before they could come to
/// a virtual server, so there these are made first and the rules replaced when everything behind
/// them is ready: no connection meets a moment without either.
///
/// @param takesOver whether rules of the iptables mode are there
/// @param enter lines that make sets and their entries
/// @param leave lines that delete entries
record IpvsChangeSet(
    boolean takesOver,
    List<String> enter,
    IpvsRestoreDocument rules,
    List<IpvsChange> additions,
    List<IpAddress> bind,
    List<IpAddress> unbind,
    List<IpvsChange> removals,
    List<String> leave) {

  int writes() {
    return enter.size()
        + rules.writes()
        + additions.size()
        + bind.size()
        + unbind.size()
        + removals.size()
        + leave.size();
  }
}
