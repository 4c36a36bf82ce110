package io.fairlead.proxy.ipvs;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.ipvs.Change;
import java.util.List;

/// Everything one sync changes, in the order in which it is done: nothing is reachable half-built.
/// Sets come first, for rules name them; then rules; virtual servers before the addresses that make
/// packets come to them; and in the other direction addresses before virtual servers before
/// entries.
///
/// @param enter lines that make sets and their entries
/// @param leave lines that delete entries
record Step(
    List<String> enter,
    RuleDocument rules,
    List<Change> additions,
    List<IpAddress> bind,
    List<IpAddress> unbind,
    List<Change> removals,
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
