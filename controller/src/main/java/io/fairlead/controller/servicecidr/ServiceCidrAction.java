package io.fairlead.controller.servicecidr;

import io.fairlead.api.net.IpAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/// What is to be done about one range (spec/controllers.md 4.13). Pure.
sealed interface ServiceCidrAction {
  /// How long after its deletion a range stays: by then every API server has noticed and gives out
  /// no more of its addresses.
  Duration NOTICE = Duration.ofSeconds(10);

  /// It is new: put the finalizer on it.
  record Guard() implements ServiceCidrAction {}

  /// It can be used: say so.
  record MarkReady() implements ServiceCidrAction {}

  /// It is to go, but `inUse` is of no other range: say so.
  record MarkTerminating(IpAddress inUse) implements ServiceCidrAction {}

  /// It is to go and nothing holds it, but not all may have noticed: look again then.
  record Later(Duration left) implements ServiceCidrAction {}

  /// It is to go, and may.
  record Release() implements ServiceCidrAction {}

  /// All is as it should be.
  record Fine() implements ServiceCidrAction {}

  static ServiceCidrAction of(
      ServiceCidr range, List<ServiceCidr> all, Collection<AllocatedAddress> claims, Instant now) {
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
    for (AllocatedAddress claim : claims) {
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
