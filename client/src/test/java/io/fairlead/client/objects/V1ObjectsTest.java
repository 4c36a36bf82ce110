package io.fairlead.client.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.RawObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class V1ObjectsTest {
  private static final String SERVICE =
      """
      metadata:
        name: web
        namespace: shop
        uid: u1
        resourceVersion: "7"
        generation: 3
        creationTimestamp: "2026-01-01T00:00:00Z"
        labels: {app: web, tier: front}
        annotations: {example.com/a: "1", other.com/b: "2"}
        finalizers: [example.com/hold]
        ownerReferences:
        - {apiVersion: v1, kind: Namespace, name: shop, uid: n1, controller: true}
      spec:
        type: LoadBalancer
        clusterIP: 10.96.0.1
        clusterIPs: [10.96.0.1, "fd00::1"]
        ipFamilies: [IPv4, IPv6]
        ipFamilyPolicy: RequireDualStack
        loadBalancerIP: 198.51.100.9
        loadBalancerClass: example.com/lb
        selector: {app: web}
        externalIPs: [192.0.2.1]
        loadBalancerSourceRanges: [10.0.0.0/8]
        internalTrafficPolicy: Local
        externalTrafficPolicy: Cluster
        sessionAffinity: ClientIP
        sessionAffinityConfig: {clientIP: {timeoutSeconds: 30}}
        healthCheckNodePort: 30100
        publishNotReadyAddresses: true
        trafficDistribution: PreferClose
        unknown: {a: [{b: c}]}
        ports:
        - {name: http, port: 80, targetPort: web, nodePort: 30080, appProtocol: http}
        - {port: 53, protocol: UDP, targetPort: 5353}
      status:
        conditions: [{type: Ready, status: "True", reason: Fine, message: all is well}]
        loadBalancer: {ingress: [{ip: 198.51.100.1}, {hostname: lb, ipMode: Proxy}]}
      """;

  private static final String SLICE =
      """
      metadata:
        name: web-1
        generateName: web-
        namespace: shop
        labels: {kubernetes.io/service-name: web}
        annotations: {endpoints.kubernetes.io/last-change-trigger-time: "2026-01-01T00:00:00Z"}
      addressType: IPv4
      ports: [{name: "", port: 80}, {port: 81, protocol: UDP, appProtocol: x}]
      endpoints:
      - addresses: [10.0.0.1, 10.0.0.2]
        conditions: {ready: false, serving: true, terminating: null}
        hostname: a
        nodeName: n1
        zone: z1
        targetRef: {kind: Pod, namespace: shop, name: p, uid: u}
        hints: {forZones: [{name: z1}], forNodes: [{name: n1}]}
      - addresses: [10.0.0.3]
      """;

  private static ObjectNode tree(String yaml) {
    return (ObjectNode) Yaml.parse(yaml);
  }

  private static V1Service service(FieldMask mask) {
    return RawObject.of(tree(SERVICE)).read(in -> V1Service.read(in, mask));
  }

  private static V1EndpointSlice slice(FieldMask mask) {
    return RawObject.of(tree(SLICE)).read(in -> V1EndpointSlice.read(in, mask));
  }

  @Test
  void aWholeService() {
    V1Service service = service(FieldMask.ALL);
    assertThat(service.metadata()).isEqualTo(ObjectMeta.of(tree(SERVICE)));
    assertThat(service.annotations()).containsOnlyKeys("example.com/a", "other.com/b");
    assertThat(service.creationTimestamp()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(service.spec())
        .isEqualTo(
            new V1Service.Spec(
                "LoadBalancer",
                "10.96.0.1",
                List.of("10.96.0.1", "fd00::1"),
                List.of("IPv4", "IPv6"),
                "RequireDualStack",
                Map.of("app", "web"),
                List.of(
                    new V1Service.Port("http", "TCP", 80, 30080, "web", 0, "http"),
                    new V1Service.Port("", "UDP", 53, 0, null, 5353, null)),
                "",
                List.of("192.0.2.1"),
                "198.51.100.9",
                "example.com/lb",
                List.of("10.0.0.0/8"),
                "Local",
                "Cluster",
                "ClientIP",
                30,
                30100,
                true,
                "PreferClose"));
    assertThat(service.ingress())
        .containsExactly(
            new V1Service.Ingress("198.51.100.1", "", "VIP"),
            new V1Service.Ingress("", "lb", "Proxy"));
    assertThat(service.conditions())
        .containsExactly(new V1Condition("Ready", "True", "Fine", "all is well", "", ""));
  }

  @Test
  void whatTheMaskLeavesOutStaysEmpty() {
    V1Service service = service(FieldMask.of().annotations("example.com/"));
    assertThat(service.metadata()).isEqualTo(ObjectMeta.of(new ObjectKey("shop", "web"), "7"));
    assertThat(service.annotations()).containsExactly(Map.entry("example.com/a", "1"));
    assertThat(service.spec().selector()).isEmpty();
    assertThat(service.ingress()).isEmpty();
    assertThat(service.conditions()).isEmpty();
    assertThat(service.spec().ports()).hasSize(2);
    V1EndpointSlice slice = slice(FieldMask.of().labels(V1EndpointSlice.SERVICE_LABEL));
    assertThat(slice.service()).isEqualTo(new ObjectKey("shop", "web"));
    assertThat(slice.endpoints().getFirst())
        .isEqualTo(
            new V1EndpointSlice.Endpoint(
                List.of("10.0.0.1", "10.0.0.2"),
                false,
                true,
                null,
                "",
                null,
                "n1",
                "",
                List.of(),
                List.of()));
  }

  @Test
  void aWholeSlice() {
    V1EndpointSlice slice = slice(FieldMask.ALL);
    assertThat(slice.metadata()).isEqualTo(ObjectMeta.of(tree(SLICE)));
    assertThat(slice.generateName()).isEqualTo("web-");
    assertThat(slice.annotations()).containsOnlyKeys(V1EndpointSlice.TRIGGER_ANNOTATION);
    assertThat(slice.addressType()).isEqualTo("IPv4");
    assertThat(slice.ports())
        .containsExactly(
            new V1EndpointSlice.Port("", "TCP", 80, ""),
            new V1EndpointSlice.Port(null, "UDP", 81, "x"));
    assertThat(slice.endpoints())
        .containsExactly(
            new V1EndpointSlice.Endpoint(
                List.of("10.0.0.1", "10.0.0.2"),
                false,
                true,
                null,
                "a",
                new V1EndpointSlice.Target("Pod", "shop", "p", "u"),
                "n1",
                "z1",
                List.of("z1"),
                List.of("n1")),
            new V1EndpointSlice.Endpoint(
                List.of("10.0.0.3"), null, null, null, "", null, "", "", List.of(), List.of()));
  }

  @Test
  void textsThatObjectsRepeatAreOneText() {
    V1Service one = service(FieldMask.ALL);
    V1Service other = service(FieldMask.ALL);
    assertThat(one.metadata().namespace()).isSameAs(other.metadata().namespace());
    assertThat(one.metadata().labels().get("app")).isSameAs(other.metadata().labels().get("app"));
    assertThat(one.spec().ports().getFirst().name())
        .isSameAs(other.spec().ports().getFirst().name());
  }

  @Test
  void anObjectOfAnotherShapeIsReadAsEmpty() {
    RawObject odd = RawObject.of(tree("{metadata: [], spec: 1, endpoints: {}, status: null}"));
    assertThat(odd.read(in -> V1Service.read(in, FieldMask.ALL)).spec().ports()).isEmpty();
    assertThat(odd.read(in -> V1EndpointSlice.read(in, FieldMask.ALL)).endpoints()).isEmpty();
  }
}
