package io.fairlead.server.resources.service;

import io.fairlead.server.resource.Column;
import io.fairlead.server.resources.table.Cells;
import io.fairlead.server.resources.table.SelectorText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The table of Services.
final class ServiceTable {
  static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Type", "How far it can be reached."),
          Column.text("Cluster-IP", "Its address inside the cluster."),
          Column.text("External-IP", "Its addresses for the world outside."),
          Column.text("Port(s)", "Its ports, with their node ports."),
          Cells.AGE,
          Column.text("Selector", "The labels of the pods behind it.").wide(),
          Column.text("Ready", "How many of its endpoints are ready, of how many there are.")
              .wide());

  /// Which of the columns is filled by [ServiceRows].
  static final int READY = COLUMNS.size() - 1;

  static final String NONE = "<none>";

  private ServiceTable() {}

  static List<JsonNode> cells(ObjectNode service, Instant now) {
    JsonNode spec = service.path("spec");
    return List.of(
        Cells.name(service),
        Cells.text(ServiceSpec.type(spec)),
        Cells.orNone(spec.path("clusterIPs").path(0).asString("")),
        Cells.text(external(service)),
        Cells.orNone(ports(spec.path("ports"))),
        Cells.age(service, now),
        Cells.orNone(SelectorText.ofLabels(spec.path("selector"))),
        Cells.text(NONE));
  }

  private static String external(ObjectNode service) {
    JsonNode spec = service.path("spec");
    List<String> chosen = Cells.strings(spec.path("externalIPs"));
    switch (ServiceSpec.type(spec)) {
      case "ExternalName" -> {
        return spec.path("externalName").asString("");
      }
      case "LoadBalancer" -> {
        TreeSet<String> given = new TreeSet<>();
        for (JsonNode ingress : service.at("/status/loadBalancer/ingress")) {
          String address = ingress.path("ip").asString("");
          given.add(address.isEmpty() ? ingress.path("hostname").asString("") : address);
        }
        List<String> all = new ArrayList<>(given);
        all.addAll(chosen);
        return all.isEmpty() ? "<pending>" : String.join(",", all);
      }
      default -> {
        return SelectorText.orNone(String.join(",", chosen));
      }
    }
  }

  private static String ports(JsonNode ports) {
    List<String> all = new ArrayList<>();
    for (JsonNode port : ports) {
      int nodePort = port.path("nodePort").asInt(0);
      all.add(
          port.path("port").asInt(0)
              + (nodePort == 0 ? "" : ":" + nodePort)
              + "/"
              + port.path("protocol").asString(""));
    }
    return String.join(",", all);
  }
}
