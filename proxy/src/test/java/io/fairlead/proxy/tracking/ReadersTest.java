package io.fairlead.proxy.tracking;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.ObjectKey;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.core.ServicePort;
import io.fairlead.proxy.core.TrafficPolicy;
import io.fairlead.proxy.tracking.SliceObject.Endpoint;
import io.fairlead.proxy.tracking.SliceObject.Port;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.node.ObjectNode;

/// What is kept of objects, however they are written down.
final class ReadersTest {
  private static ObjectNode object(String yaml) {
    return (ObjectNode) Yaml.parse(yaml);
  }

  private static SliceObject slice(String yaml) {
    ObjectNode object = object(yaml);
    try (JsonParser in = Json.mapper().createParser(Json.bytes(object))) {
      in.nextToken();
      SliceObject fromBytes = SliceObject.read(in);
      assertThat(fromBytes).isEqualTo(SliceObject.of(object));
      return fromBytes;
    }
  }

  private static ServiceObject service(String yaml) {
    ObjectNode object = object(yaml);
    try (JsonParser in = Json.mapper().createParser(Json.bytes(object))) {
      in.nextToken();
      ServiceObject fromBytes = ServiceObject.read(in);
      assertThat(fromBytes).isEqualTo(ServiceObject.of(object));
      return fromBytes;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        metadata:
          managedFields: [{manager: x, fieldsV1: {"f:metadata": {"f:name": {}}}}]
          namespace: space
          name: a-1
          uid: u
          resourceVersion: "7"
          labels: {kubernetes.io/service-name: a, other: {not: text}}
          annotations: {endpoints.kubernetes.io/last-change-trigger-time: "2026-01-02T03:04:05Z"}
        addressType: IPv4
        endpoints:
        - addresses: [10.0.0.1, 10.0.0.9]
          nodeName: w
          conditions: {ready: false, serving: true, terminating: true}
          hints: {forZones: [{name: z}], forNodes: [{name: w}]}
        - addresses: [10.0.0.2]
          conditions: {ready: null}
        - addresses: ["fd00::1"]
        - addresses: [no-address]
        - addresses: []
        ports: [{name: h, port: 80}, {name: d, port: 53, protocol: UDP}, {name: null, port: 1}, {name: x}]
        """,
        """
        ports: [{port: 80, name: h, appProtocol: http}, {protocol: UDP, port: 53, name: d}]
        endpoints:
        - {hints: {forNodes: [{name: w}], forZones: [{name: z}]}, targetRef: {kind: Pod, name: p},
           conditions: {terminating: true, ready: false}, nodeName: w, addresses: [010.0.0.1]}
        - {addresses: [10.0.0.2]}
        addressType: IPv4
        metadata:
          annotations:
            kubernetes.io/service-name: not-this-one
            endpoints.kubernetes.io/last-change-trigger-time: "2026-01-02T03:04:05Z"
          labels: {kubernetes.io/service-name: a}
          resourceVersion: "7"
          uid: u
          name: a-1
          namespace: space
        """,
      })
  void aSliceIsReadInAnyOrder(String yaml) {
    SliceObject slice = slice(yaml);
    assertThat(slice.metadata().key()).isEqualTo(new ObjectKey("space", "a-1"));
    assertThat(slice.metadata().resourceVersion()).isEqualTo("7");
    assertThat(slice.service()).isEqualTo(new ObjectKey("space", "a"));
    assertThat(slice.family()).isEqualTo(IpAddress.Family.IPV4);
    assertThat(slice.triggerTime()).isEqualTo(Instant.parse("2026-01-02T03:04:05Z"));
    assertThat(slice.content().ports())
        .containsExactly(new Port("h", 80, Protocol.TCP), new Port("d", 53, Protocol.UDP));
    assertThat(slice.content().endpoints())
        .containsExactly(
            new Endpoint(
                IpAddress.parse("10.0.0.1"), "w", false, true, true, Set.of("z"), Set.of("w")),
            new Endpoint(IpAddress.parse("10.0.0.2"), "", true, true, false, Set.of(), Set.of()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{metadata: null, endpoints: {a: [1]}, ports: x, addressType: 7}",
        "{metadata: [], addressType: FQDN, ports: [{name: h, port: 80}], endpoints: [{addresses: [10.0.0.1]}]}",
        "{addressType: IPv4, endpoints: [1, [2], {addresses: 3, conditions: 4, hints: 5}], ports: [[], 7, {name: 1, port: x}]}",
      })
  void aSliceOfAnotherShapeHasNothing(String yaml) {
    SliceObject slice = slice(yaml);
    assertThat(slice.content().ports()).isEmpty();
    assertThat(slice.content().endpoints()).isEmpty();
    assertThat(slice.triggerTime()).isNull();
  }

  @Test
  void aServiceHasItsPortsInBothFamilies() {
    ServiceObject service =
        service(
            """
            status:
              conditions: [{type: A}]
              loadBalancer: {ingress: [{ip: 203.0.113.1}, {ip: 203.0.113.2, ipMode: Proxy},
                {ip: "2001:db8::1", ipMode: VIP, ports: [{port: 1}]}, {hostname: h}, {ip: junk}]}
            spec:
              ports: [{name: h, port: 80, nodePort: 30080, targetPort: x}, {port: 53, protocol: UDP}]
              sessionAffinityConfig: {clientIP: {timeoutSeconds: 9}}
              sessionAffinity: ClientIP
              healthCheckNodePort: 32000
              externalTrafficPolicy: Local
              internalTrafficPolicy: Cluster
              loadBalancerSourceRanges: ["192.0.2.7/24 ", junk, "fd00::/8"]
              externalIPs: [198.051.100.1, 198.51.100.1, "fd00::7"]
              ipFamilies: [IPv6, IPv4]
              clusterIPs: ["fd00::10", 10.96.0.10]
              clusterIP: "fd00::10"
              type: LoadBalancer
            metadata: {namespace: space, name: a, annotations: {fairlead.dev/x: v, other: z}}
            """);
    assertThat(service.ipv4()).hasSize(2);
    assertThat(service.ipv6()).hasSize(2);
    ServicePort port = service.ipv4().getFirst();
    assertThat(port.clusterIp()).isEqualTo(IpAddress.parse("10.96.0.10"));
    assertThat(port.name().port()).isEqualTo("h");
    assertThat(port.port()).isEqualTo(80);
    assertThat(port.nodePort()).isEqualTo(30080);
    assertThat(port.externalIps()).containsExactly(IpAddress.parse("198.51.100.1"));
    assertThat(port.loadBalancerIps()).containsExactly(IpAddress.parse("203.0.113.1"));
    assertThat(port.sourceRanges()).hasToString("[192.0.2.0/24]");
    assertThat(port.internalPolicy()).isEqualTo(TrafficPolicy.CLUSTER);
    assertThat(port.externalPolicy()).isEqualTo(TrafficPolicy.LOCAL);
    assertThat(port.stickySeconds()).isEqualTo(9);
    assertThat(port.healthCheckNodePort()).isEqualTo(32000);
    assertThat(port.options()).isEqualTo(Map.of("x", "v"));
    assertThat(service.ipv4().getLast().protocol()).isEqualTo(Protocol.UDP);
    assertThat(service.ipv6().getFirst().loadBalancerIps())
        .isEqualTo(List.of(IpAddress.parse("2001:db8::1")));
    assertThat(service.ipv6().getFirst().externalIps())
        .isEqualTo(List.of(IpAddress.parse("fd00::7")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{spec: {clusterIP: None, ports: [{port: 80}]}}",
        "{spec: {type: ExternalName, clusterIP: 10.96.0.1, ports: [{port: 80}]}}",
        "{spec: {clusterIP: 7, ports: [{port: 80}]}}",
        "{spec: {clusterIP: 10.96.0.1, ports: {port: 80}}}",
        "{spec: [clusterIP], status: x, metadata: 3}",
      })
  void aServiceWithoutAddressOrPortsHasNone(String yaml) {
    assertThat(service(yaml).ipv4()).isEmpty();
    assertThat(service(yaml).ipv6()).isEmpty();
  }
}
