package io.fairlead.controller.servicecidr;

import io.fairlead.api.net.IpAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/// What is to be done about one range (spec/controllers.md 4.13). Pure.
sealed interface Verdict {
  /// How long after its deletion a range stays: by then every API server has noticed and gives out
  /// no more of its addresses.
  Duration NOTICE = Duration.ofSeconds(10);

  /// It is new: put the finalizer on it.
  record Guard() implements Verdict {}

  /// It can be used: say so.
  record MarkReady() implements Verdict {}

  /// It is to go, but `inUse` is of no other range: say so.
  record MarkTerminating(IpAddress inUse) implements Verdict {}

  /// It is to go and nothing holds it, but not all may have noticed: look again then.
  record Later(Duration left) implements Verdict {}

  /// It is to go, and may.
  record Release() implements Verdict {}

  /// All is as it should be.
  record Fine() implements Verdict {}

  static Verdict of(
      ServiceCidr range, List<ServiceCidr> all, Collection<Claim> claims, Instant now) {
    if (range.deletedAt().isEmpty()) {
      if (!range.isGuarded()) {
        return new Guard();
      }
      return range.ready().equals("True") ? new Fine() : new MarkReady();
    }
    if (!range.isGuarded()) {
      return new Fine();
    }
    List<ServiceCidr> others =
        all.stream()
            .filter(other -> !other.name().equals(range.name()) && other.deletedAt().isEmpty())
            .toList();
    for (Claim claim : claims) {
      if (claim.isManaged()
          && claim.address().filter(range::contains).isPresent()
          && others.stream().noneMatch(other -> other.contains(claim.address().get()))) {
        return range.ready().equals("False")
            ? new Fine()
            : new MarkTerminating(claim.address().get());
      }
    }
    Duration left = Duration.between(now, range.deletedAt().get().plus(NOTICE));
    return left.isPositive() ? new Later(left) : new Release();
  }
}
