package io.fairlead.server.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.resource.ClusterReader;
import io.fairlead.server.stream.ProxyTargetResolver.Name;
import io.fairlead.server.stream.ProxyTargetResolver.Target;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// Where proxied requests go, and where they may not.
class ProxyTargetResolverTest {
  /// A cluster of one service with two endpoints, and a few pods.
  private static final class Cluster implements ClusterReader {
    private final Map<String, String> objects =
        Map.of(
            "pods/web",
            """
            {"spec":{"containers":[{"ports":[{"name":"http","containerPort":9376},
              {"name":"admin","containerPort":9000}]}]},"status":{"podIP":"10.0.0.5"}}
            """,
            "pods/bare",
            """
            {"spec":{"containers":[{}]},"status":{"podIP":"10.0.0.6"}}
            """,
            "pods/waits",
            """
            {"spec":{"containers":[{}]}}
            """,
            "pods/sly",
            """
            {"spec":{"containers":[{}]},"status":{"podIP":"127.0.0.1"}}
            """,
            "pods/slyer",
            """
            {"spec":{"containers":[{}]},"status":{"podIP":"169.254.169.254"}}
            """,
            "services/web",
            """
            {"spec":{"ports":[{"name":"http","port":80},{"name":"admin","port":81}]}}
            """,
            "services/idle",
            """
            {"spec":{"ports":[{"port":80}]}}
            """);

    @Override
    public @Nullable ObjectNode get(String group, String plural, String namespace, String name) {
      String text = objects.get(plural + "/" + name);
      return text == null ? null : tree(text);
    }

    private static ObjectNode tree(String text) {
      return (ObjectNode) Json.mapper().readTree(text);
    }

    @Override
    public boolean isClaimed(String key) {
      return false;
    }

    @Override
    public List<Map<String, String>> labels(String group, String plural, String namespace) {
      return List.of();
    }

    @Override
    public List<ObjectNode> list(String group, String plural, String namespace) {
      return List.of(
          tree(
              """
              {"metadata":{"labels":{"kubernetes.io/service-name":"web"}},
               "ports":[{"name":"http","port":9376},{"name":"admin","port":9000}],
               "endpoints":[
                {"addresses":["10.0.0.5"],"conditions":{"ready":true},
                 "targetRef":{"kind":"Pod","namespace":"default","name":"web"}},
                {"addresses":["10.0.0.9"],"conditions":{"ready":false},
                 "targetRef":{"kind":"Pod","namespace":"default","name":"unready"}},
                {"addresses":["192.0.2.7"],"conditions":{"ready":true}},
                {"addresses":["10.0.0.8"],"conditions":{"ready":true},
                 "targetRef":{"kind":"Pod","namespace":"other","name":"foreign"}}]}
              """));
    }
  }

  /// @param expected `http 10.0.0.5 80`, or the code of the refusal
  record Case(String name, boolean pod, String path, String expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> rows() {
    return Stream.of(
        new Case("a pod's first port", true, "web", "http 10.0.0.5 9376"),
        new Case("a pod's port by number", true, "web:8000", "http 10.0.0.5 8000"),
        new Case("a pod's port by name", true, "web:admin", "http 10.0.0.5 9000"),
        new Case("a pod by TLS", true, "https:web:8443", "https 10.0.0.5 8443"),
        new Case("a pod without ports", true, "bare", "http 10.0.0.6 80"),
        new Case("a pod without ports, by TLS", true, "https:bare:", "https 10.0.0.6 443"),
        new Case("no such name of a port", true, "web:none", "400"),
        new Case("no such pod", true, "none", "404"),
        new Case("a pod without an address", true, "waits", "503"),
        new Case("a pod that claims loopback", true, "sly", "400"),
        new Case("a pod that claims the machine's metadata", true, "slyer", "400"),
        new Case("a scheme nobody knows", true, "ftp:web:21", "400"),
        new Case("too many parts", true, "http:web:80:x", "400"),
        new Case(
            "a service by port name: only its ready pods", false, "web:http", "http 10.0.0.5 9376"),
        new Case("a service by port number", false, "web:81", "http 10.0.0.5 9000"),
        new Case("a service by TLS", false, "https:web:http", "https 10.0.0.5 9376"),
        new Case("several ports and no choice", false, "web", "503"),
        new Case("a service without endpoints", false, "idle", "503"),
        new Case("no such service", false, "none", "404"));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void leadsTo(Case row) {
    Cluster cluster = new Cluster();
    ProxyTargetResolver targets =
        new ProxyTargetResolver(cluster, new ProxyAddressPolicy(cluster), new Random(1));
    if (row.expected().matches("\\d+")) {
      ApiException refused = catchThrowableOfType(ApiException.class, () -> find(targets, row));
      assertThat(refused.status().code()).isEqualTo(Integer.parseInt(row.expected()));
    } else {
      Target found = find(targets, row);
      assertThat((found.tls() ? "https " : "http ") + found.host() + " " + found.port())
          .isEqualTo(row.expected());
    }
  }

  private static Target find(ProxyTargetResolver targets, Case row) {
    Name name = Name.parse(row.path());
    return row.pod() ? targets.pod("default", name) : targets.service("default", name);
  }
}
