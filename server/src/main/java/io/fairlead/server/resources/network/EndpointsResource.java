package io.fairlead.server.resources.network;

import io.fairlead.api.names.NameValidation;
import io.fairlead.api.net.AddressRules;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.Defaults;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.table.Cells;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The addresses behind a Service, all in one object.
public final class EndpointsResource extends StoredResource {
  private static final int DEPRECATED_SINCE = 33;
  private static final List<String> ADDRESS_LISTS = List.of("addresses", "notReadyAddresses");
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Endpoints", "The first addresses and ports that are ready."),
          Cells.AGE);

  public EndpointsResource() {
    super(
        ResourceDescriptorBuilder.namespaced("", "endpoints", "Endpoints")
            .shortNames("ep")
            .storedUnder("/registry/services/endpoints")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.CREATES_ON_UPDATE);
  }

  @Override
  public @Nullable String deprecation(int emulatedMinor) {
    return emulatedMinor < DEPRECATED_SINCE
        ? null
        : "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice";
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    for (JsonNode subset : object.path("subsets")) {
      for (JsonNode port : subset.path("ports")) {
        if (port instanceof ObjectNode one) {
          Defaults.text(one, "protocol", "TCP");
        }
      }
    }
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    int index = 0;
    for (JsonNode subset : object.path("subsets")) {
      checkSubset(subset, "subsets[" + index + "]", problems);
      index++;
    }
    return problems.list();
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    return List.of(
        Cells.name(object), Cells.text(shown(object.path("subsets"))), Cells.age(object, now));
  }

  private static void checkSubset(JsonNode subset, String path, Problems problems) {
    if (subset.path("addresses").isEmpty() && subset.path("notReadyAddresses").isEmpty()) {
      problems.required(path, "must specify `addresses` or `notReadyAddresses`");
    }
    for (String list : ADDRESS_LISTS) {
      int index = 0;
      for (JsonNode address : subset.path(list)) {
        checkAddress(address, path + "." + list + "[" + index + "]", problems);
        index++;
      }
    }
    JsonNode ports = subset.path("ports");
    int index = 0;
    for (JsonNode port : ports) {
      checkPort(port, ports.size() > 1, path + ".ports[" + index + "]", problems);
      index++;
    }
  }

  private static void checkAddress(JsonNode address, String path, Problems problems) {
    String text = address.path("ip").asString("");
    problems.each(path + ".ip", text, AddressRules.addressProblems(text));
    String hostname = address.path("hostname").asString("");
    if (!hostname.isEmpty()) {
      problems.each(path + ".hostname", hostname, NameValidation.dns1123Label(hostname));
    }
    if (address.has("nodeName")) {
      String node = address.path("nodeName").asString("");
      problems.each(path + ".nodeName", node, NameValidation.dns1123Subdomain(node));
    }
    AddressChecks.checkReachable(text, path + ".ip", problems);
  }

  private static void checkPort(JsonNode port, boolean named, String path, Problems problems) {
    String name = port.path("name").asString("");
    if (named && name.isEmpty()) {
      problems.required(path + ".name");
    } else if (!name.isEmpty()) {
      problems.each(path + ".name", name, NameValidation.dns1123Label(name));
    }
    PortValidation.checkNumber(path + ".port", port.path("port").asLong(0), problems);
    PortValidation.checkProtocol(path + ".protocol", port.path("protocol"), problems);
    PortValidation.checkAppProtocol(path + ".appProtocol", port.path("appProtocol"), problems);
  }

  private static String shown(JsonNode subsets) {
    if (subsets.isEmpty()) {
      return "<none>";
    }
    List<String> all = new ArrayList<>();
    for (JsonNode subset : subsets) {
      if (subset.path("ports").isEmpty()) {
        for (JsonNode address : subset.path("addresses")) {
          all.add(address.path("ip").asString(""));
        }
      }
      for (JsonNode port : subset.path("ports")) {
        for (JsonNode address : subset.path("addresses")) {
          String text = address.path("ip").asString("");
          String host = text.contains(":") ? "[" + text + "]" : text;
          all.add(host + ":" + port.path("port").asInt(0));
        }
      }
    }
    return Cells.firstThree(all);
  }
}
