package io.fairlead.policy.core;

import io.fairlead.api.net.IpAddress;

/// The key of an element of a plan.
public sealed interface PlanKey {
  record OfAddress(IpAddress address) implements PlanKey {
    @Override
    public String toString() {
      return address.toString();
    }
  }

  /// Both ends included.
  record OfRange(IpAddress first, IpAddress last) implements PlanKey {
    @Override
    public String toString() {
      return first + "-" + last;
    }
  }

  /// @param number of a class
  record OfPair(int number, IpAddress address) implements PlanKey {
    @Override
    public String toString() {
      return number + " . " + address;
    }
  }

  /// @param number of a grant
  record OfPorts(int number, Grant.Ports ports) implements PlanKey {
    @Override
    public String toString() {
      return number + " . " + ports;
    }
  }
}
