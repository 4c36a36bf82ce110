package io.fairlead.proxy.core;

import io.fairlead.client.ObjectKey;
import java.util.Comparator;

/// The identity of one port of a Service, the unit the proxy works with.
///
/// @param port the port's name, empty when it has none
public record ServicePortName(ObjectKey service, String port, Protocol protocol)
    implements Comparable<ServicePortName> {

  private static final Comparator<ServicePortName> ORDER =
      Comparator.comparing(ServicePortName::displayName).thenComparing(ServicePortName::protocol);

  public ServicePortName(String namespace, String name, String port, Protocol protocol) {
    this(new ObjectKey(namespace, name), port, protocol);
  }

  /// `namespace/name` or `namespace/name:port`; the protocol is no part of it.
  public String displayName() {
    String base = service.namespace() + "/" + service.name();
    return port.isEmpty() ? base : base + ":" + port;
  }

  /// By display name, then protocol: the order in which modes write their rules.
  @Override
  public int compareTo(ServicePortName other) {
    return ORDER.compare(this, other);
  }

  // What a record is given for these takes a fresh JVM long, and every plan is searched by names.
  @Override
  public boolean equals(Object other) {
    return other instanceof ServicePortName that
        && protocol == that.protocol
        && port.equals(that.port)
        && service.equals(that.service);
  }

  @Override
  public int hashCode() {
    return (31 * service.hashCode() + port.hashCode()) * 31 + protocol.number();
  }

  @Override
  public String toString() {
    return displayName() + "/" + protocol.lower();
  }
}
