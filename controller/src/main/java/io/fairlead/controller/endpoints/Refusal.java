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
final class Refusal {
  private static final int INVALID = 422;
  private static final Pattern ADDRESS =
      Pattern.compile("subsets\\[(\\d{1,4})]\\.(addresses|notReadyAddresses)\\[(\\d{1,4})].*");

  private record Place(int subset, boolean ready, int index) {}

  private Refusal() {}

  /// What is left without the addresses that are refused; empty when the refusal is about something
  /// else too.
  static Optional<Wanted> without(Wanted wanted, Status status) {
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
    List<Subset> kept = new ArrayList<>();
    for (int i = 0; i < wanted.subsets().size(); i++) {
      Subset subset = wanted.subsets().get(i);
      Subset rest =
          new Subset(
              kept(subset.ready(), i, true, refused),
              kept(subset.notReady(), i, false, refused),
              subset.ports());
      if (!rest.isEmpty()) {
        kept.add(rest);
      }
    }
    return Optional.of(new Wanted(wanted.labels(), Repacking.of(kept), wanted.truncated()));
  }

  private static List<Address> kept(
      List<Address> addresses, int subset, boolean ready, Set<Place> refused) {
    List<Address> kept = new ArrayList<>();
    for (int i = 0; i < addresses.size(); i++) {
      if (!refused.contains(new Place(subset, ready, i))) {
        kept.add(addresses.get(i));
      }
    }
    return kept;
  }
}
