package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.server.TestServer.Answer;
import io.fairlead.store.Range;
import io.fairlead.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/// Makes Services in tests and looks whether their claims fit them.
final class TestServices {
  static final String PATH = "/api/v1/namespaces/default/services";
  static final String ADDRESSES = "/apis/networking.k8s.io/v1/ipaddresses";

  private final TestServer server;

  TestServices(TestServer server) {
    this.server = server;
  }

  /// Asks for a Service with that spec; a port is added where it has none.
  Answer create(String name, String spec) {
    String ports = spec.contains("'ports'") ? "" : "'ports':[{'port':80}]";
    String comma = ports.isEmpty() || spec.isEmpty() ? "" : ",";
    return server.post(
        PATH, "{'metadata':{'name':'%s'},'spec':{%s%s%s}}".formatted(name, spec, comma, ports));
  }

  /// Makes one that must be accepted.
  Answer made(String name, String spec) {
    Answer answer = create(name, spec);
    assertThat(answer.code()).as(answer.text()).isEqualTo(201);
    return answer;
  }

  Answer get(String name) {
    return server.get(PATH + "/" + name);
  }

  Answer delete(String name) {
    return server.send("DELETE", PATH + "/" + name).now();
  }

  Answer merge(String name, String patch) {
    return server
        .send("PATCH", PATH + "/" + name)
        .header("Content-Type", "application/merge-patch+json")
        .body(patch)
        .now();
  }

  static JsonNode spec(Answer answer) {
    return answer.json().path("spec");
  }

  static int nodePort(Answer answer) {
    return spec(answer).path("ports").path(0).path("nodePort").asInt(0);
  }

  boolean isClaimed(String address) {
    return server.get(ADDRESSES + "/" + address).code() == 200;
  }

  /// Every Service has the claims of its addresses and ports, no two have the same, and there is no
  /// claim without its Service.
  static void checkClaims(TestServer server, Store store) {
    Map<String, String> addresses = new TreeMap<>();
    Set<Integer> ports = new TreeSet<>();
    for (JsonNode service : server.get("/api/v1/services").json().path("items")) {
      String name =
          Json.textOr(service, "", "metadata", "namespace")
              + "/"
              + Json.textOr(service, "", "metadata", "name");
      for (JsonNode address : service.path("spec").path("clusterIPs")) {
        if (!address.asString().equals("None")) {
          assertThat(addresses.put(address.asString(), name)).as(name).isNull();
        }
      }
      int health = service.path("spec").path("healthCheckNodePort").asInt(0);
      if (health != 0) {
        assertThat(ports.add(health)).as(name + " " + health).isTrue();
      }
      for (JsonNode port : service.path("spec").path("ports")) {
        int number = port.path("nodePort").asInt(0);
        if (number != 0) {
          assertThat(ports.add(number)).as(name + " " + number).isTrue();
        }
      }
    }
    Map<String, String> claims = new TreeMap<>();
    for (JsonNode claim : server.get(ADDRESSES).json().path("items")) {
      JsonNode parent = claim.path("spec").path("parentRef");
      claims.put(
          Json.textOr(claim, "", "metadata", "name"),
          parent.path("namespace").asString() + "/" + parent.path("name").asString());
    }
    assertThat(claims).isEqualTo(addresses);
    List<Integer> claimed = new ArrayList<>();
    String prefix = "/registry/nodeports/";
    store
        .range(new Range(prefix, "", 0, store.revision()))
        .entries()
        .forEach(entry -> claimed.add(Integer.valueOf(entry.key().substring(prefix.length()))));
    assertThat(claimed).containsExactlyInAnyOrderElementsOf(ports);
  }

  static String at(String address) {
    return "'clusterIP':'" + address + "'";
  }

  static String nodePort(int port) {
    return "'type':'NodePort','ports':[{'port':80,'nodePort':" + port + "}]";
  }

  static String affinity(int seconds) {
    return "'sessionAffinity':'ClientIP','sessionAffinityConfig':{'clientIP':{'timeoutSeconds':"
        + seconds
        + "}}";
  }

  static void refused(Answer answer, int code, String message) {
    assertThat(answer.message()).isEqualTo(message);
    assertThat(answer.code()).isEqualTo(code);
  }
}
