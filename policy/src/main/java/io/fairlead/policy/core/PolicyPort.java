package io.fairlead.policy.core;

/// One entry of `ports`.
public sealed interface PolicyPort {
  int LAST = 65535;

  /// Every port of every protocol: what an empty list means.
  record Everything() implements PolicyPort {
    @Override
    public String toString() {
      return "every port";
    }
  }

  /// Ports of one protocol, both ends included.
  record Range(IpProtocol protocol, int first, int last) implements PolicyPort {
    @Override
    public String toString() {
      if (first == 0 && last == LAST) {
        return "every " + protocol + " port";
      }
      return (first == last ? "" + first : first + "-" + last) + "/" + protocol;
    }
  }

  /// A port by its name in the destination pod.
  record Named(PortName name) implements PolicyPort {
    @Override
    public String toString() {
      return name.toString();
    }
  }

  /// An entry that is invalid: it matches nothing.
  record Nothing() implements PolicyPort {
    @Override
    public String toString() {
      return "no port";
    }
  }
}
