package io.fairlead.agent.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.api.schema.Quantity;
import io.fairlead.api.yaml.Yaml;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// The variables a container starts with: those of Services, and its own. Rows are named by the
/// specification's vectors.
class ContainerEnvironmentTest {
  private static final ServiceView KUBERNETES =
      service("default", "kubernetes", "{clusterIP: 10.96.0.1, ports: [{name: https, port: 443}]}");
  private static final ServiceView REDIS =
      service("ns", "redis-primary", "{clusterIP: 10.0.0.11, ports: [{port: 6379}]}");

  private static ServiceView service(String namespace, String name, String spec) {
    return ServiceView.of(
        (ObjectNode)
            Yaml.parse(
                "metadata: {name: " + name + ", namespace: " + namespace + "}\nspec: " + spec));
  }

  record Variables(String name, List<ServiceView> services, boolean links, List<String> expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<String> SEVEN =
      List.of(
          "REDIS_PRIMARY_SERVICE_HOST=10.0.0.11",
          "REDIS_PRIMARY_SERVICE_PORT=6379",
          "REDIS_PRIMARY_PORT=tcp://10.0.0.11:6379",
          "REDIS_PRIMARY_PORT_6379_TCP=tcp://10.0.0.11:6379",
          "REDIS_PRIMARY_PORT_6379_TCP_PROTO=tcp",
          "REDIS_PRIMARY_PORT_6379_TCP_PORT=6379",
          "REDIS_PRIMARY_PORT_6379_TCP_ADDR=10.0.0.11");

  static final List<String> API =
      List.of(
          "KUBERNETES_SERVICE_HOST=10.96.0.1",
          "KUBERNETES_SERVICE_PORT=443",
          "KUBERNETES_SERVICE_PORT_HTTPS=443",
          "KUBERNETES_PORT=tcp://10.96.0.1:443",
          "KUBERNETES_PORT_443_TCP=tcp://10.96.0.1:443",
          "KUBERNETES_PORT_443_TCP_PROTO=tcp",
          "KUBERNETES_PORT_443_TCP_PORT=443",
          "KUBERNETES_PORT_443_TCP_ADDR=10.96.0.1");

  static Stream<Variables> variables() {
    return Stream.of(
        new Variables(
            "N35 the seven names, and the API's",
            List.of(REDIS, KUBERNETES),
            true,
            Stream.concat(API.stream(), SEVEN.stream()).toList()),
        new Variables("N37 no links: only the API's", List.of(REDIS, KUBERNETES), false, API),
        new Variables(
            "N38 several ports",
            List.of(
                service(
                    "ns",
                    "my-svc",
                    "{clusterIP: 10.0.0.2, ports: [{name: http, port: 80},"
                        + " {name: dns, port: 53, protocol: UDP}]}")),
            true,
            List.of(
                "MY_SVC_SERVICE_HOST=10.0.0.2",
                "MY_SVC_SERVICE_PORT=80",
                "MY_SVC_SERVICE_PORT_HTTP=80",
                "MY_SVC_SERVICE_PORT_DNS=53",
                "MY_SVC_PORT=tcp://10.0.0.2:80",
                "MY_SVC_PORT_80_TCP=tcp://10.0.0.2:80",
                "MY_SVC_PORT_80_TCP_PROTO=tcp",
                "MY_SVC_PORT_80_TCP_PORT=80",
                "MY_SVC_PORT_80_TCP_ADDR=10.0.0.2",
                "MY_SVC_PORT_53_UDP=udp://10.0.0.2:53",
                "MY_SVC_PORT_53_UDP_PROTO=udp",
                "MY_SVC_PORT_53_UDP_PORT=53",
                "MY_SVC_PORT_53_UDP_ADDR=10.0.0.2")),
        new Variables(
            "N39 headless, ExternalName, another namespace: none",
            List.of(
                service("ns", "headless", "{clusterIP: None, ports: [{port: 1}]}"),
                service("ns", "out", "{type: ExternalName, ports: [{port: 1}]}"),
                service("other", "redis", "{clusterIP: 10.0.0.3, ports: [{port: 1}]}")),
            true,
            List.of()),
        new Variables(
            "a Service called kubernetes of the pod's own namespace wins",
            List.of(
                service("ns", "kubernetes", "{clusterIP: 10.0.0.9, ports: [{port: 1}]}"),
                KUBERNETES),
            true,
            List.of(
                "KUBERNETES_SERVICE_HOST=10.0.0.9",
                "KUBERNETES_SERVICE_PORT=1",
                "KUBERNETES_PORT=tcp://10.0.0.9:1",
                "KUBERNETES_PORT_1_TCP=tcp://10.0.0.9:1",
                "KUBERNETES_PORT_1_TCP_PROTO=tcp",
                "KUBERNETES_PORT_1_TCP_PORT=1",
                "KUBERNETES_PORT_1_TCP_ADDR=10.0.0.9")),
        new Variables(
            "IPv6 is bracketed in addresses with a port only",
            List.of(service("ns", "six", "{clusterIP: 'fd00::1', ports: [{port: 1}]}")),
            true,
            List.of(
                "SIX_SERVICE_HOST=fd00::1",
                "SIX_SERVICE_PORT=1",
                "SIX_PORT=tcp://[fd00::1]:1",
                "SIX_PORT_1_TCP=tcp://[fd00::1]:1",
                "SIX_PORT_1_TCP_PROTO=tcp",
                "SIX_PORT_1_TCP_PORT=1",
                "SIX_PORT_1_TCP_ADDR=fd00::1")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("variables")
  void serviceVariables(Variables row) {
    assertThat(ServiceVariables.of(row.services(), "ns", row.links()))
        .map(one -> one.getKey() + "=" + one.getValue())
        .containsExactlyElementsOf(row.expected());
  }

  private static final ConfigDataReader OBJECTS =
      new ConfigDataReader() {
        @Override
        public Optional<Map<String, byte[]>> configMap(String namespace, String name) {
          return name.equals("there")
              ? Optional.of(
                  Map.of("k", bytes("v"), "l", bytes("w"), "1-data", bytes("x"), "a.b", bytes("y")))
              : Optional.empty();
        }

        @Override
        public Optional<Map<String, byte[]>> secret(String namespace, String name) {
          return name.equals("there") ? Optional.of(Map.of("s", bytes("t"))) : Optional.empty();
        }
      };

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Map<String, String> environment(String container) {
    Pod pod = TestPods.pod("p", "{nodeName: node-a, containers: [" + container + "]}");
    return ContainerEnvironment.of(
        pod,
        pod.containers().getFirst(),
        ServiceVariables.of(List.of(REDIS), "ns", true),
        OBJECTS,
        new DownwardFields(
            List.of("10.244.0.5", "fd00::5"),
            List.of("192.168.0.1"),
            Map.of("cpu", Quantity.parse("2"))));
  }

  @Test
  void n40OwnValuesWinAndNamesExpand() {
    Map<String, String> found =
        environment(
            "{name: c, env: [{name: REDIS_PRIMARY_PORT, value: mine},"
                + " {name: A, value: 'at $(REDIS_PRIMARY_SERVICE_HOST)'},"
                + " {name: B, value: '$$(A)'}, {name: C, value: '$(NOPE) $(A)'}]}");
    assertThat(found)
        .containsEntry("REDIS_PRIMARY_PORT", "mine")
        .containsEntry("A", "at 10.0.0.11")
        .containsEntry("B", "$(A)")
        .containsEntry("C", "$(NOPE) at 10.0.0.11")
        .containsEntry("REDIS_PRIMARY_SERVICE_PORT", "6379");
    assertThat(found.keySet()).startsWith("REDIS_PRIMARY_PORT", "A", "B", "C");
  }

  record Missing(String name, String container, String message) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Missing> missing() {
    return Stream.of(
        new Missing(
            "N42 no such ConfigMap",
            "{name: c, env: [{name: A, valueFrom: {configMapKeyRef: {name: x, key: k}}}]}",
            "configmap \"x\" not found"),
        new Missing(
            "N42 no such key",
            "{name: c, env: [{name: A, valueFrom: {configMapKeyRef: {name: there, key: x}}}]}",
            "couldn't find key x in ConfigMap ns/there"),
        new Missing(
            "no such Secret",
            "{name: c, envFrom: [{secretRef: {name: x}}]}",
            "secret \"x\" not found"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("missing")
  void missingReferencesAreNamed(Missing row) {
    assertThatThrownBy(() -> environment(row.container()))
        .isInstanceOfSatisfying(
            RuntimeFailure.class,
            e -> assertThat(e.reason()).isEqualTo("CreateContainerConfigError"))
        .hasMessage(row.message());
  }

  @Test
  void n42OptionalReferencesMayBeMissing() {
    assertThat(
            environment(
                "{name: c, env: [{name: A, valueFrom: {configMapKeyRef: {name: x, key: k,"
                    + " optional: true}}}, {name: B, valueFrom: {secretKeyRef: {name: there, key:"
                    + " s}}}], envFrom: [{configMapRef: {name: there}, prefix: P_}]}"))
        .doesNotContainKey("A")
        .containsEntry("B", "t")
        .containsEntry("P_k", "v")
        .containsEntry("P_l", "w");
  }

  @Test
  void n42WholeObjectsGiveEveryKeyWhateverItIsCalled() {
    assertThat(environment("{name: c, envFrom: [{configMapRef: {name: there}}]}"))
        .containsEntry("1-data", "x")
        .containsEntry("a.b", "y")
        .containsEntry("k", "v");
  }

  @Test
  void n43FieldsOfThePodAndItsResources() {
    assertThat(
            environment(
                """
                {name: c, resources: {limits: {cpu: 500m}}, env: [
                  {name: IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}},
                  {name: IPS, valueFrom: {fieldRef: {fieldPath: status.podIPs}}},
                  {name: HOST, valueFrom: {fieldRef: {fieldPath: status.hostIP}}},
                  {name: LABEL, valueFrom: {fieldRef: {fieldPath: "metadata.labels['a']"}}},
                  {name: LABELS, valueFrom: {fieldRef: {fieldPath: metadata.labels}}},
                  {name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}},
                  {name: CPU, valueFrom: {resourceFieldRef: {resource: limits.cpu, divisor: 1m}}},
                  {name: CPUS, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}]}
                """))
        .containsEntry("IP", "10.244.0.5")
        .containsEntry("IPS", "10.244.0.5,fd00::5")
        .containsEntry("HOST", "192.168.0.1")
        .containsEntry("LABEL", "b")
        .containsEntry("LABELS", "a=\"b\"\nc=\"d e\"")
        .containsEntry("NODE", "node-a")
        .containsEntry("CPU", "500")
        .containsEntry("CPUS", "1");
  }
}
