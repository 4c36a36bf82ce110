package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.server.TestServer.Answer;
import io.fairlead.store.testing.MemoryStore;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import tools.jackson.databind.JsonNode;

/// The vectors of spec/api.md section 8.3: cluster 10.0.0.0/16, one family, ports 30000-32767.
class ServiceVectorsTest extends VectorTable {
  private static final List<String> CIDR = List.of("10.0.0.0/16");
  private static final String PORTS = "30000-32767";

  ServiceVectorsTest() {
    super("S", 32);
  }

  @Override
  TestServer open() throws Exception {
    return TestServer.start(new MemoryStore(), CIDR, PORTS, false, 34);
  }

  /// After all that was done to them, Services and claims still fit.
  @Override
  @AfterAll
  void stop() {
    Services.checkClaims(server, server.store);
    super.stop();
  }

  @Override
  Vectors table() {
    Vectors table = new Vectors();
    addresses(table);
    families(table);
    nodePorts(table);
    nothingLeaks(table);
    updates(table);
    types(table);
    rules(table);
    table.row("S29", "a kill at any commit", ServiceFaultsTest::everyCommitMayBeTheLast);
    return table;
  }

  private void addresses(Vectors table) {
    table.row(
        "S1",
        "first start",
        () -> {
          assertThat(services().get("kubernetes").at("spec", "clusterIP")).isEqualTo("10.0.0.1");
          assertThat(services().isClaimed("10.0.0.1")).isTrue();
          Answer range = server.get("/apis/networking.k8s.io/v1/servicecidrs/kubernetes");
          assertThat(range.json().at("/spec/cidrs").toString()).isEqualTo("[\"10.0.0.0/16\"]");
          JsonNode ready = range.json().at("/status/conditions/0");
          assertThat(ready.path("type").asString()).isEqualTo("Ready");
          assertThat(ready.path("status").asString()).isEqualTo("True");
        });
    table.row(
        "S2",
        "a thousand dynamic addresses",
        () -> {
          Cidr low = Cidr.parse("10.0.0.0/24");
          Set<String> seen = new HashSet<>();
          for (int i = 0; i < 1000; i++) {
            String address = services().made("s2-" + i, "").at("spec", "clusterIP");
            assertThat(seen.add(address)).isTrue();
            IpAddress parsed = IpAddress.parse(address);
            assertThat(Cidr.parse("10.0.0.0/16").contains(parsed)).isTrue();
            assertThat(low.contains(parsed) || address.equals("10.0.1.0")).as(address).isFalse();
          }
          Services.checkClaims(server, server.store);
          server.send("DELETE", Services.PATH + "?fieldSelector=metadata.name!%3Dkubernetes").now();
        });
    table.row(
        "S3",
        "a chosen address",
        () -> {
          assertThat(services().made("redis-primary", at("10.0.0.11")).at("spec", "clusterIP"))
              .isEqualTo("10.0.0.11");
          refused(
              services().create("redis-other", at("10.0.0.11")),
              422,
              "Service \"redis-other\" is invalid: spec.clusterIPs: Invalid value: [\"10.0.0.11\"]:"
                  + " failed to allocate IP 10.0.0.11: provided IP is already allocated");
        });
    for (String outside : List.of("10.0.0.0", "10.0.255.255", "192.168.0.1")) {
      table.row(
          "S4",
          outside + " is not of the range",
          () ->
              refused(
                  services().create("s4", at(outside)),
                  422,
                  "Service \"s4\" is invalid: spec.clusterIPs: Invalid value: [\""
                      + outside
                      + "\"]: failed to allocate IP "
                      + outside
                      + ": the provided network does not match the current range"));
    }
    table.row(
        "S28",
        "a full range",
        () -> {
          try (TestServer small =
              TestServer.start(new MemoryStore(), List.of("10.9.0.0/28"), PORTS, false, 34)) {
            Services few = new Services(small);
            for (int i = 0; i < 13; i++) {
              few.made("s28-" + i, "");
            }
            refused(
                few.create("s28-last", ""),
                500,
                "Internal error occurred: failed to allocate a serviceIP for Service"
                    + " \"s28-last\": range is full");
            few.delete("s28-3");
            few.made("s28-last", "");
          }
        });
  }

  private void families(Vectors table) {
    table.row(
        "S5",
        "headless with a selector",
        () -> {
          JsonNode spec =
              Services.spec(services().made("s5", "'clusterIP':'None','selector':{'a':'b'}"));
          assertThat(spec.path("clusterIPs").toString()).isEqualTo("[\"None\"]");
          assertThat(spec.path("ipFamilyPolicy").asString()).isEqualTo("SingleStack");
          assertThat(spec.path("ipFamilies").toString()).isEqualTo("[\"IPv4\"]");
        });
    table.row(
        "S6",
        "headless without a selector",
        () -> {
          JsonNode spec = Services.spec(services().made("s6", "'clusterIP':'None'"));
          assertThat(spec.path("ipFamilyPolicy").asString()).isEqualTo("RequireDualStack");
          assertThat(spec.path("ipFamilies").toString()).isEqualTo("[\"IPv4\",\"IPv6\"]");
        });
    table.row(
        "S7",
        "two families required where there is one",
        () ->
            refused(
                services().create("s7", "'ipFamilyPolicy':'RequireDualStack'"),
                422,
                "Service \"s7\" is invalid: spec.ipFamilyPolicy: Invalid value:"
                    + " \"RequireDualStack\": this cluster is not configured for dual-stack"
                    + " services"));
    table.row(
        "S8",
        "two families preferred where there is one",
        () -> {
          JsonNode spec =
              Services.spec(services().made("s8", "'ipFamilyPolicy':'PreferDualStack'"));
          assertThat(spec.path("clusterIPs").size()).isEqualTo(1);
          assertThat(spec.path("ipFamilies").toString()).isEqualTo("[\"IPv4\"]");
          assertThat(spec.path("ipFamilyPolicy").asString()).isEqualTo("PreferDualStack");
        });
  }

  private void nodePorts(Vectors table) {
    table.row(
        "S9",
        "one number for two protocols",
        () -> {
          JsonNode ports =
              Services.spec(
                      services()
                          .made(
                              "s9",
                              "'type':'NodePort','ports':[{'name':'u','port':53,'protocol':'UDP'},"
                                  + "{'name':'t','port':53,'protocol':'TCP'}]"))
                  .path("ports");
          assertThat(ports.get(0).path("nodePort").asInt())
              .isEqualTo(ports.get(1).path("nodePort").asInt())
              .isBetween(30086, 32767);
          services().delete("s9");
        });
    table.row(
        "S10",
        "a node port outside the range",
        () ->
            refused(
                services().create("s10", nodePort(80)),
                422,
                "Service \"s10\" is invalid: spec.ports[0].nodePort: Invalid value: 80: provided"
                    + " port is not in the valid range. The range of valid ports is 30000-32767"));
    table.row(
        "S11",
        "a node port of another Service, whatever the protocol",
        () -> {
          services().made("s11", nodePort(30380));
          for (String protocol : List.of("TCP", "UDP")) {
            refused(
                services()
                    .create(
                        "s11-other",
                        nodePort(30380)
                            .replace("'port':80", "'port':80,'protocol':'" + protocol + "'")),
                422,
                "Service \"s11-other\" is invalid: spec.ports[0].nodePort: Invalid value: 30380:"
                    + " provided port is already allocated");
          }
        });
  }

  private void nothingLeaks(Vectors table) {
    table.row(
        "S12",
        "a create that fails validation gives everything back",
        () -> {
          String given = "'clusterIP':'10.0.0.12'," + nodePort(30012);
          Answer failed = services().create("s12", given + ",'selector':{'-bad-':'x'}");
          assertThat(failed.code()).isEqualTo(422);
          assertThat(failed.message()).contains("spec.selector: Invalid value: \"-bad-\"");
          services().made("s12", given);
        });
    table.row(
        "S13",
        "a create of an existing name leaves no address",
        () -> {
          services().made("s13", "");
          int before = server.get(Services.ADDRESSES).json().path("items").size();
          refused(services().create("s13", ""), 409, "services \"s13\" already exists");
          assertThat(server.get(Services.ADDRESSES).json().path("items").size()).isEqualTo(before);
        });
    table.row(
        "S14",
        "a rehearsal keeps nothing",
        () -> {
          String body =
              "{'metadata':{'name':'s14'},'spec':{"
                  + nodePort(30381)
                  + ",'clusterIP':'10.0.0.14'}}";
          assertThat(server.post(Services.PATH + "?dryRun=All", body).code()).isEqualTo(201);
          assertThat(services().get("s14").code()).isEqualTo(404);
          assertThat(services().isClaimed("10.0.0.14")).isFalse();
          assertThat(server.post(Services.PATH, body).code()).isEqualTo(201);
        });
    table.row(
        "S26",
        "a deleted Service takes its address along",
        () -> {
          String address = services().made("s26", "").at("spec", "clusterIP");
          String from = server.get(Services.ADDRESSES).at("metadata", "resourceVersion");
          Answer gone = services().delete("s26");
          assertThat(gone.at("kind")).isEqualTo("Service");
          assertThat(gone.at("metadata", "name")).isEqualTo("s26");
          String query = "?watch=1&timeoutSeconds=1&resourceVersion=" + from;
          assertThat(server.send("GET", Services.ADDRESSES + query).lines())
              .anySatisfy(
                  event -> {
                    assertThat(event.path("type").asString()).isEqualTo("DELETED");
                    assertThat(event.at("/object/metadata/name").asString()).isEqualTo(address);
                  });
          assertThat(server.send("GET", Services.PATH + query).lines())
              .anySatisfy(event -> assertThat(event.path("type").asString()).isEqualTo("DELETED"));
        });
    table.row(
        "S27",
        "an address deleted by hand comes back",
        () -> {
          String address = services().made("s27", "").at("spec", "clusterIP");
          server.send("DELETE", Services.ADDRESSES + "/" + address).now();
          await().atMost(Duration.ofSeconds(60)).until(() -> services().isClaimed(address));
          assertThat(server.get(Services.ADDRESSES + "/" + address).at("spec", "parentRef", "name"))
              .isEqualTo("s27");
          await()
              .atMost(Duration.ofSeconds(60))
              .untilAsserted(
                  () ->
                      assertThat(
                              server
                                  .get(
                                      "/api/v1/namespaces/default/events?fieldSelector="
                                          + "reason%3DClusterIPNotAllocated")
                                  .text())
                          .contains("\"name\":\"s27\""));
        });
  }

  private void updates(Vectors table) {
    table.row(
        "S15",
        "a PUT without what was allocated keeps it",
        () -> {
          Answer made = services().made("s15", "'type':'NodePort'");
          String body =
              "{'metadata':{'name':'s15'},'spec':{'type':'NodePort','ports':[{'port':80}]}}";
          Answer same = server.send("PUT", Services.PATH + "/s15").body(body).now();
          assertThat(same.code()).isEqualTo(200);
          assertThat(Services.spec(same)).isEqualTo(Services.spec(made));
          assertThat(same.at("metadata", "resourceVersion"))
              .isEqualTo(made.at("metadata", "resourceVersion"));
        });
    table.row(
        "S16",
        "an address does not change",
        () -> {
          services().made("s16", "");
          refused(
              services().merge("s16", "{'spec':{'clusterIP':'10.0.0.77'}}"),
              422,
              "Service \"s16\" is invalid: spec.clusterIPs[0]: Invalid value: [\"10.0.0.77\"]: may"
                  + " not change once set");
        });
    table.row(
        "S17",
        "an address does not become None",
        () -> {
          services().made("s17", "");
          refused(
              services().merge("s17", "{'spec':{'clusterIP':'None'}}"),
              422,
              "Service \"s17\" is invalid: spec.clusterIPs[0]: Invalid value: [\"None\"]: may not"
                  + " change once set");
        });
    table.row(
        "S30",
        "80/UDP beside 80/TCP, by either patch",
        () -> {
          services().made("s30", "'ports':[{'name':'t','port':80}]");
          String both =
              "{'spec':{'ports':[{'name':'t','port':80,'protocol':'TCP'},"
                  + "{'name':'u','port':80,'protocol':'UDP'}]}}";
          Answer merged =
              server
                  .send("PATCH", Services.PATH + "/s30")
                  .header("Content-Type", "application/strategic-merge-patch+json")
                  .body(both)
                  .now();
          assertThat(Services.spec(merged).path("ports").size()).isEqualTo(1);
          assertThat(merged.header("Warning"))
              .isEqualTo(
                  "299 - \"spec.ports: port 80/TCP was dropped: a strategic merge patch tells ports"
                      + " apart by number alone; use server-side apply to keep two protocols on one"
                      + " port\"");
          Answer applied =
              server
                  .send("PATCH", Services.PATH + "/s30?fieldManager=m&force=true")
                  .header("Content-Type", "application/apply-patch+yaml")
                  .body(
                      "{'kind':'Service','apiVersion':'v1','metadata':{'name':'s30'},"
                          + both.substring(1))
                  .now();
          assertThat(Services.spec(applied).path("ports").size()).as(applied.text()).isEqualTo(2);
        });
  }

  private void types(Vectors table) {
    table.row(
        "S18",
        "NodePort to ClusterIP",
        () -> {
          services().made("s18", nodePort(30018));
          JsonNode spec = Services.spec(services().merge("s18", "{'spec':{'type':'ClusterIP'}}"));
          assertThat(spec.at("/ports/0").has("nodePort")).isFalse();
          assertThat(spec.has("externalTrafficPolicy")).isFalse();
          services().made("s18-next", nodePort(30018));
        });
    table.row(
        "S19",
        "ClusterIP to ExternalName and back",
        () -> {
          String address = services().made("s19", "").at("spec", "clusterIP");
          JsonNode external =
              Services.spec(
                  services()
                      .merge(
                          "s19", "{'spec':{'type':'ExternalName','externalName':'example.com'}}"));
          for (String field : List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
            assertThat(external.has(field)).as(field).isFalse();
          }
          assertThat(services().isClaimed(address)).isFalse();
          JsonNode back = Services.spec(services().merge("s19", "{'spec':{'type':'ClusterIP'}}"));
          assertThat(services().isClaimed(back.path("clusterIP").asString())).isTrue();
        });
    table.row(
        "S20",
        "a balancer with local traffic has a health check",
        () -> {
          Answer made =
              services().made("s20", "'type':'LoadBalancer','externalTrafficPolicy':'Local'");
          int port = Services.spec(made).path("healthCheckNodePort").asInt(0);
          assertThat(port).isBetween(30086, 32767);
          Answer cluster = services().merge("s20", "{'spec':{'externalTrafficPolicy':'Cluster'}}");
          assertThat(Services.spec(cluster).has("healthCheckNodePort")).isFalse();
          services().made("s20-next", nodePort(port));
        });
    table.row(
        "S21",
        "a balancer that becomes a ClusterIP loses its address outside",
        () -> {
          services().made("s21", "'type':'LoadBalancer'");
          assertThat(status("s21", "{'ip':'192.0.2.7'}").code()).isEqualTo(200);
          Answer changed = services().merge("s21", "{'spec':{'type':'ClusterIP'}}");
          assertThat(changed.json().path("status").toString()).isEqualTo("{\"loadBalancer\":{}}");
        });
    table.row(
        "S31",
        "a balancer's address",
        () -> {
          services().made("s31", "'type':'LoadBalancer'");
          assertThat(
                  status("s31", "{'ip':'192.0.2.8'}").json().at("/status/loadBalancer").toString())
              .isEqualTo("{\"ingress\":[{\"ip\":\"192.0.2.8\",\"ipMode\":\"VIP\"}]}");
          services().made("s31-plain", "");
          refused(
              status("s31-plain", "{'ip':'192.0.2.8'}"),
              422,
              "Service \"s31-plain\" is invalid: status.loadBalancer.ingress: Forbidden: may only"
                  + " be used when `spec.type` is 'LoadBalancer'");
        });
  }

  private void rules(Vectors table) {
    table.row(
        "S22",
        "two ports without names",
        () ->
            refused(
                services().create("s22", "'ports':[{'port':80},{'port':81}]"),
                422,
                "Service \"s22\" is invalid: [spec.ports[0].name: Required value,"
                    + " spec.ports[1].name: Required value]"));
    table.row(
        "S23",
        "a name that begins with a digit",
        () -> {
          refused(
              services().create("1abc", ""),
              422,
              "Service \"1abc\" is invalid: metadata.name: Invalid value: \"1abc\": a DNS-1035"
                  + " label must consist of lower case alphanumeric characters or '-', start with"
                  + " an alphabetic character, and end with an alphanumeric character (e.g."
                  + " 'my-name',  or 'abc-123', regex used for validation is"
                  + " '[a-z]([-a-z0-9]*[a-z0-9])?')");
          try (TestServer later = TestServer.start(new MemoryStore(), CIDR, PORTS, false, 36)) {
            new Services(later).made("1abc", "");
          }
        });
    table.row(
        "S24",
        "how long a client stays with its pod",
        () -> {
          String timeout = "/sessionAffinityConfig/clientIP/timeoutSeconds";
          JsonNode spec = Services.spec(services().made("s24", "'sessionAffinity':'ClientIP'"));
          assertThat(spec.at(timeout).asInt()).isEqualTo(10_800);
          services().made("s24-day", affinity(86_400));
          for (int wrong : List.of(0, 86_401)) {
            refused(
                services().create("s24-wrong", affinity(wrong)),
                422,
                "Service \"s24-wrong\" is invalid:"
                    + " spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: "
                    + wrong
                    + ": must be greater than 0 and less than 86400");
          }
        });
    table.row(
        "S25",
        "no affinity, so no configuration of it",
        () -> {
          String spec = affinity(60).replace("'ClientIP'", "'None'");
          assertThat(Services.spec(services().made("s25", spec)).has("sessionAffinityConfig"))
              .isFalse();
        });
    table.row(
        "S32",
        "outside traffic has no policy inside",
        () ->
            refused(
                services().create("s32", "'externalTrafficPolicy':'Local'"),
                422,
                "Service \"s32\" is invalid: spec.externalTrafficPolicy: Invalid value: \"Local\":"
                    + " may only be set for externally-accessible services"));
  }

  private Services services() {
    return new Services(server);
  }

  private Answer status(String name, String ingress) {
    return server
        .send("PATCH", Services.PATH + "/" + name + "/status")
        .header("Content-Type", "application/merge-patch+json")
        .body("{'status':{'loadBalancer':{'ingress':[" + ingress + "]}}}")
        .now();
  }

  private static String at(String address) {
    return "'clusterIP':'" + address + "'";
  }

  private static String nodePort(int port) {
    return "'type':'NodePort','ports':[{'port':80,'nodePort':" + port + "}]";
  }

  private static String affinity(int seconds) {
    return "'sessionAffinity':'ClientIP','sessionAffinityConfig':{'clientIP':{'timeoutSeconds':"
        + seconds
        + "}}";
  }

  private static void refused(Answer answer, int code, String message) {
    assertThat(answer.message()).isEqualTo(message);
    assertThat(answer.code()).isEqualTo(code);
  }
}
