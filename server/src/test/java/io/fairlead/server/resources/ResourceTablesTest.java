package io.fairlead.server.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resources.table.Age;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// What kubectl prints of each kind: column names (a bar before those of `-o wide`) and cells.
class ResourceTablesTest {
  private static final String AGE = "2026-01-02T02:04:05Z";

  record Case(
      String name, String version, String plural, String object, String columns, String cells) {
    @Override
    public String toString() {
      return plural + " of " + version + ": " + name;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(services(), pods(), network(), OtherTableRows.all(), ClusterTableRows.all())
        .flatMap(rows -> rows);
  }

  private static Stream<Case> services() {
    String columns = "Name,Type,Cluster-IP,External-IP,Port(s),Age|Selector,Ready";
    return Stream.of(
        new Case(
            "ClusterIP",
            "v1",
            "services",
            "{spec:{type:'ClusterIP',clusterIPs:['10.0.0.60'],selector:{b:'2',a:'1'},"
                + "ports:[{port:80,protocol:'TCP'}]}}",
            columns,
            "x;ClusterIP;10.0.0.60;<none>;80/TCP;60m;a=1,b=2;<none>"),
        new Case(
            "NodePort, two ports",
            "v1",
            "services",
            "{spec:{type:'NodePort',clusterIPs:['10.0.0.61'],ports:[{port:80,protocol:'TCP',"
                + "nodePort:30061},{port:53,protocol:'UDP',nodePort:30062}]}}",
            columns,
            "x;NodePort;10.0.0.61;<none>;80:30061/TCP,53:30062/UDP;60m;<none>;<none>"),
        new Case(
            "pending LoadBalancer",
            "v1",
            "services",
            "{spec:{type:'LoadBalancer'}}",
            columns,
            "x;LoadBalancer;<none>;<pending>;<none>;60m;<none>;<none>"),
        new Case(
            "LoadBalancer, sorted, then chosen",
            "v1",
            "services",
            "{spec:{type:'LoadBalancer',externalIPs:['1.1.1.1']},status:{loadBalancer:{ingress:"
                + "[{hostname:'b.example'},{ip:'203.0.113.9'}]}}}",
            columns,
            "x;LoadBalancer;<none>;203.0.113.9,b.example,1.1.1.1;<none>;60m;<none>;<none>"),
        new Case(
            "ExternalName",
            "v1",
            "services",
            "{spec:{type:'ExternalName',externalName:'example.com'}}",
            columns,
            "x;ExternalName;<none>;example.com;<none>;60m;<none>;<none>"),
        new Case(
            "headless",
            "v1",
            "services",
            "{spec:{type:'ClusterIP',clusterIPs:['None']}}",
            columns,
            "x;ClusterIP;None;<none>;<none>;60m;<none>;<none>"));
  }

  private static Case pod(String name, String object, String cells) {
    return new Case(
        name,
        "v1",
        "pods",
        object,
        "Name,Ready,Status,Restarts,Age|IP,Node,Nominated Node,Readiness Gates",
        cells);
  }

  private static Stream<Case> pods() {
    String containers = "spec:{containers:[{name:'c'}]}";
    String none = ";60m;<none>;<none>;<none>;<none>";
    return Stream.of(
        pod(
            "running",
            "{"
                + containers
                + ",status:{phase:'Running',podIPs:[{ip:'10.1.0.7'}],"
                + "containerStatuses:[{ready:true,state:{running:{}}}]}}",
            "x;1/1;Running;0;60m;10.1.0.7;<none>;<none>;<none>"),
        pod(
            "crash loop with a last end",
            "{"
                + containers
                + ",status:{phase:'Running',"
                + "containerStatuses:[{restartCount:3,state:{waiting:{reason:'CrashLoopBackOff'}},"
                + "lastState:{terminated:{finishedAt:'2026-01-02T02:59:05Z'}}}]}}",
            "x;0/1;CrashLoopBackOff;3 (5m ago)" + none),
        pod(
            "exit code",
            "{"
                + containers
                + ",status:{phase:'Failed',containerStatuses:"
                + "[{state:{terminated:{exitCode:3}}}]}}",
            "x;0/1;ExitCode:3;0" + none),
        pod(
            "signal",
            "{"
                + containers
                + ",status:{phase:'Failed',containerStatuses:"
                + "[{state:{terminated:{signal:9}}}]}}",
            "x;0/1;Signal:9;0" + none),
        pod(
            "init",
            "{spec:{containers:[{name:'c'}],initContainers:[{name:'i'},{name:'j'}]},"
                + "status:{phase:'Pending',initContainerStatuses:[{name:'i',state:{running:{}}}]}}",
            "x;0/1;Init:0/2;0" + none),
        pod(
            "init failed",
            "{spec:{containers:[{name:'c'}],initContainers:[{name:'i'}]},"
                + "status:{phase:'Pending',initContainerStatuses:[{name:'i',state:{terminated:"
                + "{exitCode:1}}}]}}",
            "x;0/1;Init:ExitCode:1;0" + none),
        pod(
            "started sidecar counts",
            "{spec:{containers:[{name:'c'}],initContainers:[{name:'s',"
                + "restartPolicy:'Always'}]},status:{phase:'Running',initContainerStatuses:[{name:'s',"
                + "started:true,ready:true}],containerStatuses:[{ready:true,state:{running:{}}}]}}",
            "x;2/2;Running;0" + none),
        pod(
            "one done, one runs unready",
            "{spec:{containers:[{name:'c'},{name:'d'}]},status:{phase:"
                + "'Running',containerStatuses:[{state:{terminated:{reason:'Completed'}}},{ready:true,"
                + "state:{running:{}}}]}}",
            "x;1/2;NotReady;0" + none),
        pod(
            "evicted",
            "{" + containers + ",status:{phase:'Failed',reason:'Evicted'}}",
            "x;0/1;Evicted;0" + none),
        pod(
            "gated",
            "{"
                + containers
                + ",status:{phase:'Pending',conditions:[{type:'PodScheduled',"
                + "reason:'SchedulingGated'}]}}",
            "x;0/1;SchedulingGated;0" + none),
        pod(
            "going",
            "{metadata:{deletionTimestamp:'"
                + AGE
                + "'},"
                + containers
                + ",status:{phase:'Running'}}",
            "x;0/1;Terminating;0" + none),
        pod(
            "lost with its node",
            "{metadata:{deletionTimestamp:'"
                + AGE
                + "'},"
                + containers
                + ",status:{phase:'Running',reason:'NodeLost'}}",
            "x;0/1;Unknown;0" + none),
        pod(
            "gates",
            "{spec:{containers:[{name:'c'}],nodeName:'n1',readinessGates:[{conditionType:"
                + "'a'},{conditionType:'b'}]},status:{phase:'Pending',nominatedNodeName:'n2',conditions:"
                + "[{type:'a',status:'True'}]}}",
            "x;0/1;Pending;0;60m;<none>;n1;n2;1/2"));
  }

  private static Stream<Case> network() {
    String ready = "{ip:'10.0.0.1'},{ip:'10.0.0.2'},{ip:'10.0.0.3'},{ip:'10.0.0.4'},{ip:'fd00::1'}";
    return Stream.of(
        new Case(
            "more than three",
            "v1",
            "endpoints",
            "{subsets:[{addresses:[" + ready + "],ports:[{port:80}]}]}",
            "Name,Endpoints,Age|",
            "x;10.0.0.1:80,10.0.0.2:80,10.0.0.3:80 + 2 more...;60m"),
        new Case(
            "IPv6",
            "v1",
            "endpoints",
            "{subsets:[{addresses:[{ip:'fd00::1'}],ports:[{port:" + "80}]}]}",
            "Name,Endpoints,Age|",
            "x;[fd00::1]:80;60m"),
        new Case("none", "v1", "endpoints", "{}", "Name,Endpoints,Age|", "x;<none>;60m"),
        new Case(
            "only unready",
            "v1",
            "endpoints",
            "{subsets:[{notReadyAddresses:[{ip:'1.1.1.1'}]" + "}]}",
            "Name,Endpoints,Age|",
            "x;;60m"),
        new Case(
            "two endpoints",
            "discovery.k8s.io/v1",
            "endpointslices",
            "{addressType:'IPv4',endpoints:[{addresses:['10.0.0.5']},{addresses:['10.0.0.6']}],"
                + "ports:[{port:80},{name:'all'},{name:''}]}",
            "Name,AddressType,Ports,Endpoints,Age|",
            "x;IPv4;80,all,*;10.0.0.5,10.0.0.6;60m"),
        new Case(
            "empty",
            "discovery.k8s.io/v1",
            "endpointslices",
            "{addressType:'IPv6'}",
            "Name,AddressType,Ports,Endpoints,Age|",
            "x;IPv6;<unset>;<unset>;60m"),
        new Case(
            "all pods",
            "networking.k8s.io/v1",
            "networkpolicies",
            "{spec:{podSelector:{}}}",
            "Name,Pod-Selector,Age|",
            "x;<none>;60m"),
        new Case(
            "expressions",
            "networking.k8s.io/v1",
            "networkpolicies",
            "{spec:{podSelector:{matchLabels:{b:'1'},matchExpressions:[{key:'a',operator:'In',"
                + "values:['y','x']},{key:'c',operator:'DoesNotExist'}]}}}",
            "Name,Pod-Selector,Age|",
            "x;a in (x,y),b=1,!c;60m"),
        new Case(
            "two ranges",
            "networking.k8s.io/v1",
            "servicecidrs",
            "{spec:{cidrs:['10.0.0.0/16','fd00::/112']}}",
            "Name,CIDRs,Age|",
            "x;10.0.0.0/16,fd00::/112;60m"),
        new Case(
            "parent",
            "networking.k8s.io/v1",
            "ipaddresses",
            "{spec:{parentRef:{resource:'services',namespace:'default',name:'web'}}}",
            "Name,ParentRef|",
            "x;services/default/web"),
        new Case(
            "hosts and TLS",
            "networking.k8s.io/v1",
            "ingresses",
            "{spec:{ingressClassName:'c',tls:[{}],rules:[{host:'a.b'}]},status:{loadBalancer:"
                + "{ingress:[{ip:'1.2.3.4'}]}}}",
            "Name,Class,Hosts,Address,Ports,Age|",
            "x;c;a.b;1.2.3.4;80, 443;60m"),
        new Case(
            "controller",
            "networking.k8s.io/v1",
            "ingressclasses",
            "{spec:{controller:'a.io/b'}}",
            "Name,Controller,Parameters,Age|",
            "x;a.io/b;<none>;60m"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void row(Case row) {
    Resource resource = ResourcePipeline.of(row.version(), row.plural());
    ObjectNode object = ResourcePipeline.json(row.object());
    ObjectNode metadata =
        object.get("metadata") instanceof ObjectNode given ? given : object.putObject("metadata");
    metadata.put("name", "x").put("creationTimestamp", AGE);
    assertThat(columns(resource)).isEqualTo(row.columns());
    String cells =
        resource.cells(object, FakeContext.NOW).stream()
            .map(cell -> cell.asString(""))
            .collect(Collectors.joining(";"));
    assertThat(cells).isEqualTo(row.cells());
    assertThat(resource.cells(object, FakeContext.NOW)).hasSameSizeAs(resource.columns());
  }

  @Test
  void everyStoredKindWithATableOfItsOwnHasARow() {
    Set<String> rows = cases().map(Case::plural).collect(Collectors.toSet());
    for (Resource resource : BuiltInResources.all()) {
      boolean own = !resource.columns().getLast().name().equals("Created At");
      if (own && !resource.descriptor().storagePrefix().isEmpty()) {
        assertThat(
                rows.contains(resource.descriptor().plural())
                    || resource.descriptor().plural().equals("clusterrolebindings"))
            .as(resource.descriptor().plural())
            .isTrue();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "-2, <invalid>",
    "-1, 0s",
    "0, 0s",
    "60, 60s",
    "119, 119s",
    "120, 2m",
    "121, 2m1s",
    "485, 8m5s",
    "600, 10m",
    "10799, 179m",
    "10800, 3h",
    "11000, 3h3m",
    "28800, 8h",
    "172799, 47h",
    "172800, 2d",
    "180000, 2d2h",
    "691200, 8d",
    "63072000, 2y",
    "63158400, 2y1d",
    "252288000, 8y"
  })
  void agesInTwoUnitsAtMost(long seconds, String text) {
    assertThat(Age.text(Duration.ofSeconds(seconds))).isEqualTo(text);
  }

  private static String columns(Resource resource) {
    return resource.columns().stream()
            .filter(column -> column.priority() == 0)
            .map(Column::name)
            .collect(Collectors.joining(","))
        + "|"
        + resource.columns().stream()
            .filter(column -> column.priority() > 0)
            .map(Column::name)
            .collect(Collectors.joining(","));
  }
}
