package io.fairlead.controller.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.client.objects.V1Node;
import io.fairlead.client.objects.V1Pod;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// Why a pod is no ready endpoint, one row for each reason.
class EndpointReasonFinderTest {
  /// @param change merged into a pod that has no reason at all
  record Case(String name, String change, String expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final String SERVICE =
      """
      {'metadata':{'namespace':'default','name':'svc'},
       'spec':{'selector':{'app':'web'},'ipFamilies':['IPv4'],
        'ports':[{'name':'http','port':80,'targetPort':'http'},
                 {'name':'raw','port':81,'targetPort':9}]}}\
      """;
  private static final String POD =
      """
      {'metadata':{'namespace':'default','name':'p','labels':{'app':'web'}},
       'spec':{'nodeName':'good','containers':[{'name':'c',
         'readinessProbe':{'httpGet':{'port':9376,'path':'/healthz'}},
         'ports':[{'name':'http','containerPort':8080}]}]},
       'status':{'phase':'Running','podIPs':[{'ip':'10.0.0.1'}],
        'conditions':[{'type':'Ready','status':'True'}]}}\
      """;

  static Stream<Case> cases() {
    String unready =
        "'conditions':[{'type':'Ready','status':'False','reason':'ContainersNotReady'}]";
    return Stream.of(
        new Case("ready: no reason", "{}", "[]"),
        new Case("finished", "{'status':{'phase':'Failed'}}", "[Finished[phase=Failed]]"),
        new Case(
            "no address",
            "{'status':{'phase':'Pending','podIPs':null}}",
            "[NoAddress[phase=Pending]]"),
        new Case(
            "other family",
            "{'status':{'podIPs':[{'ip':'fd00::1'}]}}",
            "[OtherFamily[wanted=[IPv4], has=[PodAddress[family=IPv6, text=fd00::1]]]]"),
        new Case(
            "named port unknown, the other is served",
            "{'spec':{'containers':[{'name':'c'}]}}",
            "[PortUnknown[ports=[ServicePortSpec[name=http, protocol=TCP, port=80,"
                + " target=Named[name=http], appProtocol=Optional.empty]], all=false]]"),
        new Case(
            "terminating",
            "{'metadata':{'deletionTimestamp':'2026-01-01T00:00:00Z'}}",
            "[Terminating[since=2026-01-01T00:00:00Z, serving=true]]"),
        new Case("bound to no node", "{'spec':{'nodeName':null}}", "[NoNode[node=]]"),
        new Case(
            "node lost",
            "{'spec':{'nodeName':'lost'},'status':{%s}}".formatted(unready),
            "[NodeLost[node=lost, since=Optional.empty], NotReady[since=Optional.empty,"
                + " holdups=[NotReadyCause[kind=CONDITION, subject=Ready,"
                + " detail=ContainersNotReady]]]]"),
        new Case(
            "readiness probe fails",
            "{'status':{%s,'containerStatuses':[{'name':'c','ready':false,'state':{'running':{}}}]}}"
                .formatted(unready),
            "[NotReady[since=Optional.empty, holdups=[NotReadyCause[kind=READINESS_PROBE,"
                + " subject=c, detail=GET :9376/healthz]]]]"),
        new Case(
            "container crashes",
            """
            {'status':{%s,'containerStatuses':[{'name':'c','ready':false,
             'state':{'waiting':{'reason':'CrashLoopBackOff'}}}]}}\
            """
                .formatted(unready),
            "[NotReady[since=Optional.empty, holdups=[NotReadyCause[kind=CONTAINER_WAITING,"
                + " subject=c, detail=CrashLoopBackOff]]]]"),
        new Case(
            "readiness gate closed",
            "{'spec':{'readinessGates':[{'conditionType':'example.com/up'}]},'status':{%s}}"
                .formatted(unready),
            "[NotReady[since=Optional.empty, holdups=[NotReadyCause[kind=READINESS_GATE,"
                + " subject=example.com/up, detail=]]]]"),
        new Case(
            "nobody reported yet",
            "{'status':{'conditions':null}}",
            "[NotReady[since=Optional.empty, holdups=[NotReadyCause[kind=NO_STATUS, subject=,"
                + " detail=]]]]"),
        new Case(
            "label off by a letter",
            "{'metadata':{'labels':{'app':'wep'}}}",
            "[NearlySelected[key=app, wanted=web, has=Optional[wep]]]"),
        new Case(
            "value under another key",
            "{'metadata':{'labels':{'app':null,'run':'web'}}}",
            "[NearlySelected[key=app, wanted=web, has=Optional.empty]]"),
        new Case("quite another pod", "{'metadata':{'labels':{'app':'database'}}}", "[]"));
  }

  private static ObjectNode json(String text) {
    return Json.parseObject(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static EndpointNode node(String name, String ready) {
    return EndpointNode.of(
        V1Node.of(
            json(
                "{'metadata':{'name':'%s'},'status':{'conditions':[{'type':'Ready','status':'%s'}]}}"
                    .formatted(name, ready))));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void everyReasonHasItsFact(Case row) {
    ObjectNode pod = io.fairlead.api.patch.MergePatch.apply(json(POD), json(row.change()));
    Map<String, EndpointNode> nodes =
        Map.of("good", node("good", "True"), "lost", node("lost", "Unknown"));
    List<ExcludedPod> found =
        EndpointReasonFinder.of(
            Service.of(json(SERVICE)), List.of(EndpointPod.of(V1Pod.of(pod))), nodes);
    assertThat(found.isEmpty() ? "[]" : found.getFirst().reasons().toString())
        .isEqualTo(row.expected());
  }
}
