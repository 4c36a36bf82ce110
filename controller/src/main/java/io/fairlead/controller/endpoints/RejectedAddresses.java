package io.fairlead.controller.endpoints;

import io.fairlead.api.status.Status;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads from a server's refusal which addresses it minds, so that one bad pod does not keep all
/// others out. Pure.
final class RejectedAddresses {
  private static final int INVALID = 422;
  private static final Pattern ADDRESS =
      Pattern.compile("subsets\\[(\\d{1,4})]\\.(addresses|notReadyAddresses)\\[(\\d{1,4})].*");

  private record Place(int subset, boolean ready, int index) {}

  private RejectedAddresses() {}

  /// What is left without the addresses that are refused; empty when the refusal is about something
  /// else too.
  static Optional<DesiredEndpoints> without(DesiredEndpoints wanted, Status status) {
    Status.Details details = status.details();
    if (status.code() != INVALID || details == null || details.causes().isEmpty()) {
      return Optional.empty();
    }
    Set<Place> refused = new HashSet<>();
    for (Status.Cause cause : details.causes()) {
      Matcher matcher = ADDRESS.matcher(cause.field());
      if (!matcher.matches()) {
        return Optional.empty();
      }
      refused.add(
          new Place(
              Integer.parseInt(matcher.group(1)),
              matcher.group(2).equals("addresses"),
              Integer.parseInt(matcher.group(3))));
    }
    List<EndpointSubset> kept = new ArrayList<>();
    for (int i = 0; i < wanted.subsets().size(); i++) {
      EndpointSubset subset = wanted.subsets().get(i);
      EndpointSubset rest =
          new EndpointSubset(
              kept(subset.ready(), i, true, refused),
              kept(subset.notReady(), i, false, refused),
              subset.ports());
      if (!rest.isEmpty()) {
        kept.add(rest);
      }
    }
    return Optional.of(
        new DesiredEndpoints(wanted.labels(), Repacking.of(kept), wanted.truncated()));
  }

  private static List<EndpointAddress> kept(
      List<EndpointAddress> addresses, int subset, boolean ready, Set<Place> refused) {
    List<EndpointAddress> kept = new ArrayList<>();
    for (int i = 0; i < addresses.size(); i++) {
      if (!refused.contains(new Place(subset, ready, i))) {
        kept.add(addresses.get(i));
      }
    }
    return kept;
  }
}
