package io.fairlead.insight.environment;

import io.fairlead.client.objects.V1Service;
import io.fairlead.insight.evidence.ServiceFacts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The variables of one Service, as every kubelet names them: seven, and more with every port.
final class VariableNaming {
  private VariableNaming() {}

  /// Names and values, in order; none for a Service without an address or ports.
  static Map<String, String> of(ServiceFacts service) {
    Map<String, String> variables = new LinkedHashMap<>();
    List<V1Service.Port> ports = service.spec().spec().ports();
    if (service.clusterIps().isEmpty() || ports.isEmpty()) {
      return variables;
    }
    String address = service.clusterIps().getFirst();
    String name = spelled(service.key().name());
    V1Service.Port first = ports.getFirst();
    variables.put(host(service), address);
    variables.put(port(service), Integer.toString(first.port()));
    for (V1Service.Port port : ports) {
      if (!port.name().isEmpty()) {
        variables.put(
            name + "_SERVICE_PORT_" + spelled(port.name()), Integer.toString(port.port()));
      }
    }
    variables.put(name + "_PORT", url(address, first));
    for (V1Service.Port port : ports) {
      String link = name + "_PORT_" + port.port() + "_" + port.protocol().toUpperCase(Locale.ROOT);
      variables.put(link, url(address, port));
      variables.put(link + "_PROTO", port.protocol().toLowerCase(Locale.ROOT));
      variables.put(link + "_PORT", Integer.toString(port.port()));
      variables.put(link + "_ADDR", address);
    }
    return variables;
  }

  /// The variable with the address.
  static String host(ServiceFacts service) {
    return spelled(service.key().name()) + "_SERVICE_HOST";
  }

  /// The variable with the number of the first port.
  static String port(ServiceFacts service) {
    return spelled(service.key().name()) + "_SERVICE_PORT";
  }

  private static String url(String address, V1Service.Port port) {
    String host = address.contains(":") ? "[" + address + "]" : address;
    return port.protocol().toLowerCase(Locale.ROOT) + "://" + host + ":" + port.port();
  }

  private static String spelled(String name) {
    return name.toUpperCase(Locale.ROOT).replace('-', '_');
  }
}
