package io.fairlead.agent.discovery;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// The variables that name Services to a container: one Service, seven names and more with every
/// port.
public final class ServiceVariables {
  private ServiceVariables() {}

  /// The variables of the Services a pod sees: those of its namespace when it wants links, and
  /// always the API's own, unless its namespace has one of the same name.
  ///
  /// @param links what `enableServiceLinks` says
  public static List<Map.Entry<String, String>> of(
      Collection<ServiceView> services, String namespace, boolean links) {
    Map<String, ServiceView> seen = new TreeMap<>(Comparator.naturalOrder());
    for (ServiceView service : services) {
      if (service.address().isEmpty() || service.ports().isEmpty()) {
        continue;
      }
      String name = service.metadata().name();
      boolean own = service.metadata().namespace().equals(namespace);
      boolean api = name.equals("kubernetes") && service.metadata().namespace().equals("default");
      if (own && links) {
        seen.put(name, service);
      } else if (api) {
        seen.putIfAbsent(name, service);
      }
    }
    List<Map.Entry<String, String>> variables = new ArrayList<>();
    seen.values().forEach(service -> add(service, variables));
    return variables;
  }

  private static void add(ServiceView service, List<Map.Entry<String, String>> variables) {
    String name = spelled(service.metadata().name());
    ServiceView.Port first = service.ports().getFirst();
    variables.add(Map.entry(name + "_SERVICE_HOST", service.address()));
    variables.add(Map.entry(name + "_SERVICE_PORT", Integer.toString(first.number())));
    for (ServiceView.Port port : service.ports()) {
      if (!port.name().isEmpty()) {
        variables.add(
            Map.entry(
                name + "_SERVICE_PORT_" + spelled(port.name()), Integer.toString(port.number())));
      }
    }
    variables.add(Map.entry(name + "_PORT", url(service, first)));
    for (ServiceView.Port port : service.ports()) {
      String prefix =
          name + "_PORT_" + port.number() + "_" + port.protocol().toUpperCase(Locale.ROOT);
      variables.add(Map.entry(prefix, url(service, port)));
      variables.add(Map.entry(prefix + "_PROTO", port.protocol()));
      variables.add(Map.entry(prefix + "_PORT", Integer.toString(port.number())));
      variables.add(Map.entry(prefix + "_ADDR", service.address()));
    }
  }

  private static String url(ServiceView service, ServiceView.Port port) {
    String address = service.address();
    String host = address.contains(":") ? "[" + address + "]" : address;
    return port.protocol() + "://" + host + ":" + port.number();
  }

  private static String spelled(String name) {
    return name.replace('-', '_').toUpperCase(Locale.ROOT);
  }
}
