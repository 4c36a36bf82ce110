package io.fairlead.controller.servicestatus;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.client.objects.V1Node;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.controller.serving.EndpointNode;
import io.fairlead.controller.serving.EndpointPod;
import io.fairlead.controller.serving.Service;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// What is told about a Service, one row for each state its pods can be in together.
class ServingConditionTest {
  private static final String READY = "'conditions':[{'type':'Ready','status':'True'}]";
  private static final String UNREADY =
      "'conditions':[{'type':'Ready','status':'False'}],"
          + "'containerStatuses':[{'name':'c','ready':false,'state':{'running':{}}}]";

  /// @param pods each the rest of its metadata, of its spec and of its status, with bars between
  record Case(String name, List<String> pods, String expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    String serves = "||" + READY;
    String fails = "||" + UNREADY;
    String leaving = "'deletionTimestamp':'2026-01-01T00:00:00Z',||" + READY;
    return Stream.of(
        new Case("no pod", List.of(), "Unknown NoPods: the selector picks no pod that could serve"),
        new Case("one serves", List.of(serves), "True PodsServe: at least one pod serves"),
        new Case(
            "one of two serves", List.of(fails, serves), "True PodsServe: at least one pod serves"),
        new Case(
            "the last one is on its way out",
            List.of(leaving),
            "Unknown NoPods: the selector picks no pod that could serve"),
        new Case(
            "the only one is not ready",
            List.of(fails),
            "False NotReady: the only pod does not serve: pod-0 is not ready (readiness probe of c:"
                + " GET :80/up)"),
        new Case(
            "none of five is ready",
            List.of(fails, fails, fails, fails, fails),
            "False NotReady: none of 5 pods serves: pod-0 is not ready (readiness probe of c: GET"
                + " :80/up); pod-1 is not ready (readiness probe of c: GET :80/up); pod-2 is not"
                + " ready (readiness probe of c: GET :80/up); and 2 more"),
        new Case(
            "the port's name is not declared",
            List.of("|'containers':[{'name':'c'}],|" + READY),
            "False PortUnknown: the only pod does not serve: pod-0 declares no port named http"),
        new Case(
            "no address of the family",
            List.of("||" + READY + ",'podIPs':[{'ip':'fd00::1'}]"),
            "False OtherFamily: the only pod does not serve: pod-0 has no address of family"
                + " [IPv4]"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void eachStateIsTold(Case row) {
    Service service =
        Service.of(
            json(
                """
                {'metadata':{'namespace':'default','name':'web'},
                 'spec':{'selector':{'app':'web'},'ipFamilies':['IPv4'],
                  'ports':[{'port':80,'targetPort':'http'}]}}"""));
    List<EndpointPod> pods =
        Stream.iterate(0, i -> i < row.pods().size(), i -> i + 1)
            .map(i -> pod(i, row.pods().get(i)))
            .toList();
    ServingCondition told = ServingCondition.of(service, pods, name -> Optional.of(node(name)));
    assertThat(told.status() + " " + told.reason() + ": " + told.message())
        .isEqualTo(row.expected());
  }

  /// Later members win over earlier ones.
  private static EndpointPod pod(int number, String rest) {
    List<String> parts = Arrays.asList(rest.split("\\|", -1));
    ObjectNode pod =
        json(
            """
            {'metadata':{'namespace':'default','name':'pod-%d',%s'labels':{'app':'web'}},
             'spec':{%s'nodeName':'a'},
             'status':{'phase':'Running',%s}}"""
                .formatted(number, parts.get(0), parts.get(1), parts.get(2)));
    if (!pod.path("spec").has("containers")) {
      Json.child(pod, "spec")
          .set(
              "containers",
              json("""
                      {'list':[{'name':'c','ports':[{'name':'http','containerPort':80}],
                       'readinessProbe':{'httpGet':{'port':80,'path':'/up'}}}]}""")
                  .path("list"));
    }
    if (!pod.path("status").has("podIPs")) {
      Json.child(pod, "status").putArray("podIPs").addObject().put("ip", "10.0.0." + number);
    }
    return EndpointPod.of(V1Pod.of(pod));
  }

  private static EndpointNode node(String name) {
    return EndpointNode.of(
        V1Node.of(
            json(
                "{'metadata':{'name':'%s'},'status':{'conditions':[{'type':'Ready','status':'True'}]}}"
                    .formatted(name))));
  }

  private static ObjectNode json(String text) {
    return Json.parseObject(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }
}
