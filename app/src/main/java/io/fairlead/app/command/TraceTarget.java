package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Where a trace goes: one front of a Service, a pod, or an address.
///
/// @param service null for a pod or an address
/// @param pod null for a Service or an address
/// @param portName of the Service's port; empty when it has none
record TraceTarget(
    @Nullable ObjectNode service,
    @Nullable ObjectNode pod,
    String portName,
    String address,
    int port,
    String protocol) {
  private static final int MAX_PORT = 65535;

  ObjectKey key() {
    return service == null
        ? new ObjectKey("", "")
        : new ObjectKey(
            Json.textOr(service, "", "metadata", "namespace"),
            Json.textOr(service, "", "metadata", "name"));
  }

  /// Reads `svc/NAME[:PORT]`, `pod/NAME:PORT` or `ADDRESS:PORT`, and looks the object up.
  ///
  /// @throws FairleadException when there is no such Service, pod, port or address
  static TraceTarget find(Client client, String text, String namespace, Arguments arguments) {
    if (text.matches("(po|pod|pods)/.+")) {
      return pod(client, text, namespace, arguments);
    }
    if (!text.matches("(svc|service|services)/.+")) {
      return address(text, arguments);
    }
    String rest = text.substring(text.indexOf('/') + 1);
    int colon = rest.indexOf(':');
    String name = colon < 0 ? rest : rest.substring(0, colon);
    String port = colon < 0 ? "" : rest.substring(colon + 1);
    int dot = name.indexOf('.');
    ObjectKey key =
        dot < 0
            ? new ObjectKey(namespace, name)
            : new ObjectKey(name.substring(dot + 1).split("\\.")[0], name.substring(0, dot));
    ObjectNode service =
        client.find(ResourceType.SERVICES, key).orElseThrow(() -> MissingService.of(client, key));
    String clusterIp = Json.textOr(service, "", "spec", "clusterIP");
    String type = Json.textOr(service, "ClusterIP", "spec", "type");
    if (clusterIp.equals("None") || type.equals("ExternalName")) {
      throw new FairleadException(ErrorCode.FL155, key.toString());
    }
    JsonNode chosen = port(service, port, key);
    String front = arguments.find("ip").orElse(clusterIp);
    return new TraceTarget(
        service,
        null,
        Json.textOr(chosen, "", "name"),
        front,
        frontPort(service, chosen, front),
        Json.textOr(chosen, "TCP", "protocol"));
  }

  /// The Service's own port, or at an address that is none of its own the node port.
  private static int frontPort(ObjectNode service, JsonNode port, String front) {
    int own = port.path("port").asInt(0);
    int nodePort = port.path("nodePort").asInt(0);
    return nodePort == 0 || addresses(service).contains(front) ? own : nodePort;
  }

  private static List<String> addresses(ObjectNode service) {
    List<String> all = new ArrayList<>();
    service.path("spec").path("clusterIPs").forEach(each -> all.add(each.asString("")));
    service.path("spec").path("externalIPs").forEach(each -> all.add(each.asString("")));
    all.add(Json.textOr(service, "", "spec", "clusterIP"));
    Json.at(service, "status", "loadBalancer", "ingress")
        .forEach(each -> all.add(Json.textOr(each, "", "ip")));
    return all;
  }

  private static JsonNode port(ObjectNode service, String wanted, ObjectKey key) {
    JsonNode ports = service.path("spec").path("ports");
    if (wanted.isEmpty() && ports.size() == 1) {
      return ports.get(0);
    }
    for (JsonNode each : ports) {
      if (Json.textOr(each, "", "name").equals(wanted)
          || Integer.toString(each.path("port").asInt(0)).equals(wanted)) {
        return each;
      }
    }
    String all =
        ports
            .valueStream()
            .map(each -> Integer.toString(each.path("port").asInt(0)))
            .collect(Collectors.joining(", "));
    throw new FairleadException(ErrorCode.FL125, key.toString(), wanted, all);
  }

  /// A pod by its own address, without a Service.
  private static TraceTarget pod(
      Client client, String text, String namespace, Arguments arguments) {
    String rest = text.substring(text.indexOf('/') + 1);
    int colon = rest.lastIndexOf(':');
    ObjectKey key = new ObjectKey(namespace, colon < 0 ? rest : rest.substring(0, colon));
    ObjectNode pod =
        client
            .find(ResourceType.PODS, key)
            .orElseThrow(
                () ->
                    new FairleadException(
                        ErrorCode.FL303, arguments.verb().operand(), text, "a pod that exists"));
    String address = Json.textOr(pod, "", "status", "podIP");
    int port = number(colon < 0 ? "" : rest.substring(colon + 1));
    if (port < 0 || address.isEmpty()) {
      throw new FairleadException(
          ErrorCode.FL303,
          arguments.verb().operand(),
          text,
          "pod/NAME:PORT of a pod that has an address");
    }
    return new TraceTarget(null, pod, "", address, port, protocol(arguments));
  }

  /// Negative for what is no port.
  private static int number(String port) {
    int number = port.matches("[0-9]{1,5}") ? Integer.parseInt(port) : -1;
    return number > MAX_PORT ? -1 : number;
  }

  private static String protocol(Arguments arguments) {
    return arguments.text("protocol").toUpperCase(Locale.ROOT);
  }

  private static TraceTarget address(String text, Arguments arguments) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? text : text.substring(0, colon);
    String address =
        host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    int port = number(colon < 0 ? "" : text.substring(colon + 1));
    if (IpAddress.parseOrNull(address) == null || port < 0) {
      throw new FairleadException(
          ErrorCode.FL303,
          arguments.verb().operand(),
          text,
          "svc/NAME:PORT, pod/NAME:PORT, ADDRESS:PORT");
    }
    return new TraceTarget(null, null, "", address, port, protocol(arguments));
  }
}
