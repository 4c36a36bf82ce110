package io.fairlead.insight.explain;

import io.fairlead.client.objects.V1EndpointSlice;
import java.util.ArrayList;
import java.util.List;

/// One endpoint of one port of a Service, as slices say.
///
/// @param portName of the Service's port
/// @param pod empty when no pod is named
public record EndpointView(
    String portName,
    String protocol,
    String address,
    int port,
    String pod,
    String node,
    boolean ready,
    boolean serving,
    boolean terminating,
    String slice) {

  /// `10.244.1.7:9376`.
  public String place() {
    return (address.indexOf(':') >= 0 ? "[" + address + "]" : address) + ":" + port;
  }

  /// All endpoints that slices give to one port.
  public static List<EndpointView> of(
      List<V1EndpointSlice> slices, String portName, String protocol) {
    List<EndpointView> found = new ArrayList<>();
    for (V1EndpointSlice slice : slices) {
      for (V1EndpointSlice.Port port : slice.ports()) {
        if (portName.equals(port.name()) && protocol.equals(port.protocol())) {
          slice
              .endpoints()
              .forEach(
                  endpoint -> {
                    if (!endpoint.addresses().isEmpty()) {
                      found.add(of(slice, port, endpoint));
                    }
                  });
        }
      }
    }
    return found;
  }

  /// All endpoints of slices, for a Service that lists no port.
  public static List<EndpointView> withoutPorts(List<V1EndpointSlice> slices) {
    List<EndpointView> found = new ArrayList<>();
    V1EndpointSlice.Port none = new V1EndpointSlice.Port("", "", 0, "");
    for (V1EndpointSlice slice : slices) {
      for (V1EndpointSlice.Endpoint endpoint : slice.endpoints()) {
        if (!endpoint.addresses().isEmpty()) {
          found.add(of(slice, none, endpoint));
        }
      }
    }
    return found;
  }

  private static EndpointView of(
      V1EndpointSlice slice, V1EndpointSlice.Port port, V1EndpointSlice.Endpoint endpoint) {
    V1EndpointSlice.Target target = endpoint.target();
    String name = port.name();
    return new EndpointView(
        name == null ? "" : name,
        port.protocol(),
        endpoint.addresses().getFirst(),
        port.port(),
        target != null && target.kind().equals("Pod") ? target.name() : "",
        endpoint.nodeName(),
        !Boolean.FALSE.equals(endpoint.ready()),
        !Boolean.FALSE.equals(endpoint.serving()),
        Boolean.TRUE.equals(endpoint.terminating()),
        slice.metadata().name());
  }

  /// Those that get new connections: the ready ones, else those that serve while terminating.
  public static List<EndpointView> used(List<EndpointView> all) {
    List<EndpointView> ready =
        all.stream().filter(each -> each.ready() && !each.terminating()).toList();
    return ready.isEmpty()
        ? all.stream().filter(each -> each.terminating() && each.serving()).toList()
        : ready;
  }
}
