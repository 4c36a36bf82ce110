package io.fairlead.policy.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.RawObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// The recipes of `docs/network-policy.md` do what the page says.
class RecipesTest {
  private static final Path PAGE = Path.of("..", "docs", "network-policy.md");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```yaml\n(.*?)^```$");

  /// Pods by name, each with its labels and ports.
  private static final Map<String, PolicyPod> PODS = new LinkedHashMap<>();

  static {
    pod("shop/web", "app: web", "metrics: 9100");
    pod("shop/db", "app: db", "metrics: 9187");
    pod("shop/ill", "app: ill, quarantine: 'yes'", "");
    pod("monitoring/prometheus", "app: prometheus", "");
    pod("monitoring/other", "app: other", "");
    pod("kube-system/dns", "k8s-app: kube-dns", "");
  }

  private static void pod(String key, String labels, String port) {
    String[] words = key.split("/");
    String ports =
        port.isEmpty()
            ? ""
            : "{name: %s, containerPort: %s}".formatted((Object[]) port.split(": "));
    ObjectNode pod =
        (ObjectNode)
            Yaml.parse(
                ("{metadata: {namespace: %s, name: %s, uid: u%d, labels: {%s}}, spec: {nodeName: n,"
                        + " containers: [{ports: [%s]}]}, status: {podIP: 10.244.0.%d}}")
                    .formatted(words[0], words[1], PODS.size(), labels, ports, 10 + PODS.size()));
    PODS.put(key, PolicyPod.read(RawObject.of(pod)));
  }

  /// @param lines `->` passes, `-/>` does not
  private record Recipe(String policy, List<String> lines) {
    @Override
    public String toString() {
      return policy;
    }
  }

  private static Recipe recipe(String policy, String... lines) {
    return new Recipe(policy, List.of(lines));
  }

  static Stream<Recipe> recipes() {
    return Stream.of(
        recipe(
            "deny-all",
            "shop/web -/> shop/db:5432/TCP",
            "monitoring/prometheus -/> shop/web:8080/TCP",
            "shop/web -/> kube-system/dns:53/UDP",
            "shop/web -> shop/web:80/TCP",
            "monitoring/other -> kube-system/dns:53/UDP"),
        recipe(
            "allow-dns",
            "shop/web -> kube-system/dns:53/UDP",
            "shop/web -> kube-system/dns:53/TCP",
            "shop/web -/> kube-system/dns:80/TCP",
            "shop/web -/> shop/db:5432/TCP",
            "monitoring/other -> shop/web:80/TCP"),
        recipe(
            "own-namespace",
            "shop/web -> shop/db:5432/TCP",
            "monitoring/other -/> shop/db:5432/TCP",
            "203.0.113.9 -/> shop/web:8080/TCP",
            "shop/web -> monitoring/other:80/TCP"),
        recipe(
            "one-client",
            "shop/web -> shop/db:5432/TCP",
            "shop/web -/> shop/db:22/TCP",
            "shop/ill -/> shop/db:5432/TCP",
            "shop/ill -> shop/web:80/TCP"),
        recipe(
            "other-namespace",
            "monitoring/prometheus -> shop/db:9100/TCP",
            "monitoring/prometheus -/> shop/db:5432/TCP",
            "monitoring/other -/> shop/db:9100/TCP",
            "shop/web -/> shop/db:9100/TCP"),
        recipe(
            "from-outside",
            "203.0.113.9 -> shop/web:8080/TCP",
            "203.0.113.200 -/> shop/web:8080/TCP",
            "203.0.113.9 -/> shop/web:80/TCP",
            "shop/db -/> shop/web:8080/TCP"),
        recipe(
            "named-port",
            "monitoring/other -> shop/web:9100/TCP",
            "monitoring/other -> shop/db:9187/TCP",
            "monitoring/other -/> shop/db:9100/TCP",
            "monitoring/other -/> shop/ill:9100/TCP"),
        recipe(
            "port-range",
            "shop/db -> shop/web:8080/TCP",
            "shop/db -> shop/web:8090/TCP",
            "shop/db -/> shop/web:8091/TCP",
            "shop/db -/> shop/web:8080/UDP"),
        recipe(
            "not-the-metadata",
            "shop/web -> 203.0.113.9:443/TCP",
            "shop/web -/> 169.254.169.254:80/TCP",
            "shop/web -/> 192.168.1.1:443/TCP",
            "shop/web -/> shop/db:5432/TCP",
            "shop/db -> 169.254.169.254:80/TCP"),
        recipe(
            "quarantine",
            "shop/ill -/> shop/web:80/TCP",
            "shop/web -/> shop/ill:80/TCP",
            "shop/web -> shop/db:5432/TCP"));
  }

  private static List<ObjectNode> documents() throws IOException {
    List<ObjectNode> found = new ArrayList<>();
    Matcher blocks = BLOCK.matcher(Files.readString(PAGE));
    while (blocks.find()) {
      for (String document : blocks.group(1).split("(?m)^---$")) {
        found.add((ObjectNode) Yaml.parse(document));
      }
    }
    return found;
  }

  private static Map<String, ObjectNode> policies() throws IOException {
    Map<String, ObjectNode> found = new LinkedHashMap<>();
    for (ObjectNode document : documents()) {
      if (Json.textOr(document, "", "kind").equals("NetworkPolicy")) {
        found.put(Json.textOr(document, "", "metadata", "name"), document);
      }
    }
    return found;
  }

  @Test
  void everyRecipeHasARow() throws IOException {
    assertThat(policies().keySet())
        .containsExactlyElementsOf(recipes().map(Recipe::policy).toList());
  }

  @ParameterizedTest
  @MethodSource("recipes")
  void aRecipeDoesWhatThePageSays(Recipe recipe) throws IOException {
    NetworkPolicy policy =
        NetworkPolicyReader.read(java.util.Objects.requireNonNull(policies().get(recipe.policy())));
    assertThat(policy.invalid()).isEmpty();
    Oracle oracle =
        new Oracle(
            new Oracle.Node("n", Set.of(), List.of()), List.of(), PODS.values(), List.of(policy));
    for (String line : recipe.lines()) {
      String[] words = line.split(" ");
      int colon = words[2].lastIndexOf(':');
      String[] port = words[2].substring(colon + 1).split("/");
      assertThat(
              oracle
                  .decide(
                      address(words[0]),
                      address(words[2].substring(0, colon)),
                      IpProtocol.valueOf(port[1]).number(),
                      Integer.parseInt(port[0]))
                  .isAllowed())
          .as(line)
          .isEqualTo(words[1].equals("->"));
    }
  }

  private static IpAddress address(String name) {
    PolicyPod pod = PODS.get(name);
    return pod == null ? IpAddress.parse(name) : pod.addresses().getFirst();
  }
}
