package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.schema.Field;
import io.fairlead.api.schema.Schemas;
import io.fairlead.server.TestServer.Answer;
import io.fairlead.store.testing.MemoryStore;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every field that `kubectl explain service.spec` lists: what it is by default, what it must be,
/// what may become of it (spec 3.2 to 3.5). A field without a row fails the test.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ServiceFieldsTest {
  private static final String BALANCER = "'type':'LoadBalancer'";
  private static final String ONLY_BALANCER = "may only be used when `type` is 'LoadBalancer'";

  private TestServer server;
  private TestServices services;
  private int made;

  @BeforeAll
  void start() throws Exception {
    server = TestServer.start(new MemoryStore(), List.of("10.0.0.0/16"), "30000-32767", true, 34);
    services = new TestServices(server);
  }

  @AfterAll
  void stop() {
    TestServices.checkClaims(server, server.store);
    server.close();
  }

  /// @param change a merge patch of the spec; empty for none
  /// @param expected a JSON value for what the field becomes, or after `!` what is wrong
  private record Case(String field, String name, String spec, String change, String expected) {
    @Override
    public String toString() {
      return field + ": " + name;
    }
  }

  private static Case on(String field, String name, String spec, String expected) {
    return new Case(field, name, spec, "", expected);
  }

  private static Case after(
      String field, String name, String spec, String change, String expected) {
    return new Case(field, name, spec, change, expected);
  }

  static Stream<Case> cases() {
    return Stream.of(kind(), addresses(), ports(), policies(), balancers()).flatMap(rows -> rows);
  }

  private static Stream<Case> kind() {
    return Stream.of(
        on("type", "default", "", "'ClusterIP'"),
        on(
            "type",
            "unknown",
            "'type':'X'",
            "!spec.type: Unsupported value: \"X\": supported values: \"ClusterIP\","
                + " \"ExternalName\", \"LoadBalancer\", \"NodePort\""),
        on(
            "externalName",
            "required",
            "'type':'ExternalName'",
            "!spec.externalName: Required value"),
        on(
            "externalName",
            "ends in a dot",
            "'type':'ExternalName','externalName':'example.com.'",
            "'example.com.'"),
        on(
            "externalName",
            "no name",
            "'type':'ExternalName','externalName':'-x'",
            "!spec.externalName: Invalid value: \"-x\": a lowercase RFC 1123 subdomain must consist"
                + " of lower case alphanumeric characters, '-' or '.', and must start and end with"
                + " an alphanumeric character (e.g. 'example.com', regex used for validation is"
                + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"),
        after(
            "externalName",
            "kept when the type changes",
            "'type':'ExternalName','externalName':'example.com'",
            "{'type':'ClusterIP'}",
            "'example.com'"),
        on("selector", "none", "", ""),
        on("selector", "kept", "'selector':{'a':'b'}", "{'a':'b'}"),
        on(
            "selector",
            "bad value",
            "'selector':{'a':'-'}",
            "!spec.selector: Invalid value: \"-\": a valid label must be an empty string or consist"
                + " of alphanumeric characters, '-', '_' or '.', and must start and end with an"
                + " alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used"
                + " for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"),
        on("publishNotReadyAddresses", "default", "", ""),
        on("publishNotReadyAddresses", "kept", "'publishNotReadyAddresses':true", "true"));
  }

  private static Stream<Case> addresses() {
    return Stream.of(
        on("clusterIP", "headless", "'clusterIP':'None'", "'None'"),
        on(
            "clusterIP",
            "no address",
            "'clusterIP':'10.0.0'",
            "!spec.clusterIPs[0]: Invalid value: \"10.0.0\": must be a valid IP address, (e.g."
                + " 10.9.8.7 or 2001:db8::ffff)"),
        on(
            "clusterIPs",
            "without clusterIP",
            "'clusterIPs':['10.0.0.40']",
            "!spec.clusterIPs: Invalid value: [\"10.0.0.40\"]: must be empty when `clusterIP` is"
                + " not specified"),
        on(
            "clusterIPs",
            "another than clusterIP",
            "'clusterIP':'10.0.0.41','clusterIPs':['10.0.0.42']",
            "!spec.clusterIPs: Invalid value: [\"10.0.0.42\"]: first value must match `clusterIP`"),
        on("clusterIPs", "as clusterIP", "'clusterIP':'10.0.0.43'", "['10.0.0.43']"),
        on("ipFamilies", "default", "", "['IPv4']"),
        on(
            "ipFamilies",
            "unknown",
            "'ipFamilies':['IPv5']",
            "!spec.ipFamilies[0]: Unsupported value: \"IPv5\": supported values: \"IPv4\","
                + " \"IPv6\""),
        on(
            "ipFamilies",
            "not of this cluster",
            "'ipFamilies':['IPv6']",
            "!spec.ipFamilies[0]: Invalid value: \"IPv6\": not configured on this cluster"),
        on("ipFamilyPolicy", "default", "", "'SingleStack'"),
        on(
            "ipFamilyPolicy",
            "unknown",
            "'ipFamilyPolicy':'x'",
            "!spec.ipFamilyPolicy: Unsupported value: \"x\": supported values: \"PreferDualStack\","
                + " \"RequireDualStack\", \"SingleStack\""),
        after(
            "ipFamilyPolicy",
            "gone with the type",
            "",
            "{'type':'ExternalName','externalName':'example.com'}",
            ""),
        on("externalIPs", "kept", "'externalIPs':['192.0.2.1']", "['192.0.2.1']"),
        on(
            "externalIPs",
            "no address",
            "'externalIPs':['x']",
            "!spec.externalIPs[0]: Invalid value: \"x\": must be a valid IP address, (e.g. 10.9.8.7"
                + " or 2001:db8::ffff)"));
  }

  private static Stream<Case> ports() {
    return Stream.of(
        on("ports", "required", "'ports':[]", "!spec.ports: Required value"),
        on(
            "ports",
            "defaults",
            "'ports':[{'port':80}]",
            "[{'port':80,'protocol':'TCP','targetPort':80}]"),
        on(
            "ports",
            "target by name",
            "'ports':[{'port':80,'targetPort':'http','appProtocol':'example.com/x'}]",
            "[{'port':80,'targetPort':'http','appProtocol':'example.com/x','protocol':'TCP'}]"),
        on(
            "ports",
            "names must differ",
            "'ports':[{'name':'a','port':80},{'name':'a','port':81}]",
            "!spec.ports[1].name: Duplicate value: \"a\""),
        on(
            "healthCheckNodePort",
            "only for local balancers",
            "'healthCheckNodePort':30900",
            "!spec.healthCheckNodePort: Invalid value: 30900: may only be set when `type` is"
                + " 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"),
        on(
            "healthCheckNodePort",
            "chosen",
            BALANCER + ",'externalTrafficPolicy':'Local','healthCheckNodePort':30901",
            "30901"),
        after(
            "healthCheckNodePort",
            "stays",
            BALANCER + ",'externalTrafficPolicy':'Local','healthCheckNodePort':30902",
            "{'healthCheckNodePort':30903}",
            "!spec.healthCheckNodePort: Forbidden: field is immutable"),
        on("allocateLoadBalancerNodePorts", "default", BALANCER, "true"),
        on(
            "allocateLoadBalancerNodePorts",
            "only for balancers",
            "'allocateLoadBalancerNodePorts':true",
            "!spec.allocateLoadBalancerNodePorts: Forbidden: " + ONLY_BALANCER),
        after(
            "allocateLoadBalancerNodePorts",
            "gone with the type",
            BALANCER,
            "{'type':'ClusterIP'}",
            ""));
  }

  private static Stream<Case> policies() {
    String local = "supported values: \"Cluster\", \"Local\"";
    return Stream.of(
        on("externalTrafficPolicy", "default", "'type':'NodePort'", "'Cluster'"),
        on(
            "externalTrafficPolicy",
            "default with external addresses",
            "'externalIPs':['192.0.2.2']",
            "'Cluster'"),
        on("externalTrafficPolicy", "none inside", "", ""),
        on(
            "externalTrafficPolicy",
            "unknown",
            "'type':'NodePort','externalTrafficPolicy':'x'",
            "!spec.externalTrafficPolicy: Unsupported value: \"x\": " + local),
        after(
            "externalTrafficPolicy",
            "gone with the type",
            "'type':'NodePort'",
            "{'type':'ClusterIP'}",
            ""),
        on("internalTrafficPolicy", "default", "", "'Cluster'"),
        on(
            "internalTrafficPolicy",
            "unknown",
            "'internalTrafficPolicy':'x'",
            "!spec.internalTrafficPolicy: Unsupported value: \"x\": " + local),
        on("sessionAffinity", "default", "", "'None'"),
        on(
            "sessionAffinity",
            "unknown",
            "'sessionAffinity':'x'",
            "!spec.sessionAffinity: Unsupported value: \"x\": supported values: \"ClientIP\","
                + " \"None\""),
        on(
            "sessionAffinityConfig",
            "default",
            "'sessionAffinity':'ClientIP'",
            "{'clientIP':{'timeoutSeconds':10800}}"),
        after(
            "sessionAffinityConfig",
            "gone with the affinity",
            "'sessionAffinity':'ClientIP'",
            "{'sessionAffinity':'None'}",
            ""),
        on(
            "trafficDistribution",
            "kept",
            "'trafficDistribution':'PreferSameNode'",
            "'PreferSameNode'"),
        on(
            "trafficDistribution",
            "unknown",
            "'trafficDistribution':'x'",
            "!spec.trafficDistribution: Unsupported value: \"x\": supported values:"
                + " \"PreferClose\", \"PreferSameZone\", \"PreferSameNode\""));
  }

  private static Stream<Case> balancers() {
    return Stream.of(
        on("loadBalancerClass", "kept", BALANCER + ",'loadBalancerClass':'a.b/c'", "'a.b/c'"),
        on(
            "loadBalancerClass",
            "only for balancers",
            "'loadBalancerClass':'a.b/c'",
            "!spec.loadBalancerClass: Forbidden: " + ONLY_BALANCER),
        after(
            "loadBalancerClass",
            "stays",
            BALANCER + ",'loadBalancerClass':'a.b/c'",
            "{'loadBalancerClass':'a.b/d'}",
            "!spec.loadBalancerClass: Invalid value: \"a.b/d\": may not change once set"),
        after(
            "loadBalancerClass",
            "gone with the type",
            BALANCER + ",'loadBalancerClass':'a.b/c'",
            "{'type':'NodePort'}",
            ""),
        on("loadBalancerIP", "kept", BALANCER + ",'loadBalancerIP':'192.0.2.3'", "'192.0.2.3'"),
        on(
            "loadBalancerSourceRanges",
            "kept as written",
            BALANCER + ",'loadBalancerSourceRanges':[' 192.0.2.0/24 ']",
            "[' 192.0.2.0/24 ']"),
        on(
            "loadBalancerSourceRanges",
            "only for balancers",
            "'loadBalancerSourceRanges':['192.0.2.0/24']",
            "!spec.LoadBalancerSourceRanges: Forbidden: " + ONLY_BALANCER),
        on(
            "loadBalancerSourceRanges",
            "no range",
            BALANCER + ",'loadBalancerSourceRanges':['192.0.2.0']",
            "!spec.LoadBalancerSourceRanges[0]: Invalid value: \"192.0.2.0\": must be a valid CIDR"
                + " value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void becomes(Case row) {
    String name = "field-" + made++;
    Answer answer = services.create(name, row.spec());
    if (!row.change().isEmpty()) {
      assertThat(answer.code()).as(answer.text()).isEqualTo(201);
      answer = services.merge(name, "{'spec':" + row.change() + "}");
    }
    if (row.expected().startsWith("!")) {
      assertThat(answer.code()).isEqualTo(422);
      assertThat(answer.message())
          .isEqualTo("Service \"" + name + "\" is invalid: " + row.expected().substring(1));
      return;
    }
    assertThat(answer.code()).as(answer.text()).isIn(200, 201);
    var value = answer.json().path("spec").path(row.field());
    if (row.expected().isEmpty()) {
      assertThat(value.isMissingNode()).as(value.toString()).isTrue();
    } else {
      assertThat(value)
          .isEqualTo(
              io.fairlead.api.json.Json.parse(
                  row.expected()
                      .replace('\'', '"')
                      .getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    }
  }

  @Test
  void whatWasAcceptedBeforeIsNotJudgedAgain() throws Exception {
    services.made("judged", "'externalIPs':['192.0.2.4']");
    String key = "/registry/services/specs/default/judged";
    String stored =
        new String(
            java.util.Objects.requireNonNull(server.store.get(key)).value(),
            java.nio.charset.StandardCharsets.UTF_8);
    // As an older server would have let it in.
    server.store.commit(
        List.of(
            new io.fairlead.store.Write.Put(
                key,
                stored
                    .replace("192.0.2.4", "192.000.2.4")
                    .getBytes(java.nio.charset.StandardCharsets.UTF_8),
                io.fairlead.store.Write.ANY)));
    assertThat(services.merge("judged", "{'metadata':{'labels':{'a':'b'}}}").code()).isEqualTo(200);
    assertThat(services.merge("judged", "{'spec':{'externalIPs':['192.000.2.5']}}").message())
        .isEqualTo(
            "Service \"judged\" is invalid: spec.externalIPs[0]: Invalid value: \"192.000.2.5\":"
                + " must not have leading 0s");
  }

  @Test
  void everyFieldHasARow() {
    Set<String> known =
        Schemas.kubernetes().struct("io.k8s.api.core.v1.ServiceSpec").fields().stream()
            .map(Field::name)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> rows = cases().map(Case::field).collect(Collectors.toCollection(TreeSet::new));
    assertThat(rows).isEqualTo(known);
  }
}
