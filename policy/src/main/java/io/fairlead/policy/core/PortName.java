package io.fairlead.policy.core;

/// The name a container gives a port. The same name may stand for other ports of other protocols.
public record PortName(String name, IpProtocol protocol) implements Comparable<PortName> {
  @Override
  public int compareTo(PortName other) {
    int byName = name.compareTo(other.name);
    return byName != 0 ? byName : protocol.compareTo(other.protocol);
  }

  @Override
  public String toString() {
    return name + "/" + protocol;
  }
}
