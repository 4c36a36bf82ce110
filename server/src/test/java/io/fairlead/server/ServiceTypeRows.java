package io.fairlead.server;

import static io.fairlead.server.TestServices.affinity;
import static io.fairlead.server.TestServices.nodePort;
import static io.fairlead.server.TestServices.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.TestServer.Answer;
import io.fairlead.store.testing.MemoryStore;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Vectors of section 8.3 about changing Services, their types and what they may say.
final class ServiceTypeRows {
  private static final List<String> CIDR = List.of("10.0.0.0/16");
  private static final String PORTS = "30000-32767";

  private final TestServer server;
  private final TestServices services;

  ServiceTypeRows(TestServer server) {
    this.server = server;
    this.services = new TestServices(server);
  }

  void addTo(Vectors table) {
    updates(table);
    types(table);
    rules(table);
  }

  private void updates(Vectors table) {
    table.row(
        "S15",
        "a PUT without what was allocated keeps it",
        () -> {
          Answer made = services.made("s15", "'type':'NodePort'");
          String body =
              "{'metadata':{'name':'s15'},'spec':{'type':'NodePort','ports':[{'port':80}]}}";
          Answer same = server.send("PUT", TestServices.PATH + "/s15").body(body).now();
          assertThat(same.code()).isEqualTo(200);
          assertThat(TestServices.spec(same)).isEqualTo(TestServices.spec(made));
          assertThat(same.at("metadata", "resourceVersion"))
              .isEqualTo(made.at("metadata", "resourceVersion"));
        });
    table.row(
        "S16",
        "an address does not change",
        () -> {
          services.made("s16", "");
          refused(
              services.merge("s16", "{'spec':{'clusterIP':'10.0.0.77'}}"),
              422,
              "Service \"s16\" is invalid: spec.clusterIPs[0]: Invalid value: [\"10.0.0.77\"]: may"
                  + " not change once set");
        });
    table.row(
        "S17",
        "an address does not become None",
        () -> {
          services.made("s17", "");
          refused(
              services.merge("s17", "{'spec':{'clusterIP':'None'}}"),
              422,
              "Service \"s17\" is invalid: spec.clusterIPs[0]: Invalid value: [\"None\"]: may not"
                  + " change once set");
        });
    table.row(
        "S30",
        "80/UDP beside 80/TCP, by either patch",
        () -> {
          services.made("s30", "'ports':[{'name':'t','port':80}]");
          String both =
              "{'spec':{'ports':[{'name':'t','port':80,'protocol':'TCP'},"
                  + "{'name':'u','port':80,'protocol':'UDP'}]}}";
          Answer merged =
              server
                  .send("PATCH", TestServices.PATH + "/s30")
                  .header("Content-Type", "application/strategic-merge-patch+json")
                  .body(both)
                  .now();
          assertThat(TestServices.spec(merged).path("ports").size()).isEqualTo(1);
          assertThat(merged.header("Warning"))
              .isEqualTo(
                  "299 - \"spec.ports: port 80/TCP was dropped: a strategic merge patch tells ports"
                      + " apart by number alone; use server-side apply to keep two protocols on one"
                      + " port\"");
          Answer applied =
              server
                  .send("PATCH", TestServices.PATH + "/s30?fieldManager=m&force=true")
                  .header("Content-Type", "application/apply-patch+yaml")
                  .body(
                      "{'kind':'Service','apiVersion':'v1','metadata':{'name':'s30'},"
                          + both.substring(1))
                  .now();
          assertThat(TestServices.spec(applied).path("ports").size())
              .as(applied.text())
              .isEqualTo(2);
        });
  }

  private void types(Vectors table) {
    table.row(
        "S18",
        "NodePort to ClusterIP",
        () -> {
          services.made("s18", nodePort(30018));
          JsonNode spec = TestServices.spec(services.merge("s18", "{'spec':{'type':'ClusterIP'}}"));
          assertThat(spec.at("/ports/0").has("nodePort")).isFalse();
          assertThat(spec.has("externalTrafficPolicy")).isFalse();
          services.made("s18-next", nodePort(30018));
        });
    table.row(
        "S19",
        "ClusterIP to ExternalName and back",
        () -> {
          String address = services.made("s19", "").at("spec", "clusterIP");
          JsonNode external =
              TestServices.spec(
                  services.merge(
                      "s19", "{'spec':{'type':'ExternalName','externalName':'example.com'}}"));
          for (String field : List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
            assertThat(external.has(field)).as(field).isFalse();
          }
          assertThat(services.isClaimed(address)).isFalse();
          JsonNode back = TestServices.spec(services.merge("s19", "{'spec':{'type':'ClusterIP'}}"));
          assertThat(services.isClaimed(back.path("clusterIP").asString())).isTrue();
        });
    table.row(
        "S20",
        "a balancer with local traffic has a health check",
        () -> {
          Answer made =
              services.made("s20", "'type':'LoadBalancer','externalTrafficPolicy':'Local'");
          int port = TestServices.spec(made).path("healthCheckNodePort").asInt(0);
          assertThat(port).isBetween(30086, 32767);
          Answer cluster = services.merge("s20", "{'spec':{'externalTrafficPolicy':'Cluster'}}");
          assertThat(TestServices.spec(cluster).has("healthCheckNodePort")).isFalse();
          services.made("s20-next", nodePort(port));
        });
    table.row(
        "S21",
        "a balancer that becomes a ClusterIP loses its address outside",
        () -> {
          services.made("s21", "'type':'LoadBalancer'");
          assertThat(status("s21", "{'ip':'192.0.2.7'}").code()).isEqualTo(200);
          Answer changed = services.merge("s21", "{'spec':{'type':'ClusterIP'}}");
          assertThat(changed.json().path("status").toString()).isEqualTo("{\"loadBalancer\":{}}");
        });
    table.row(
        "S31",
        "a balancer's address",
        () -> {
          services.made("s31", "'type':'LoadBalancer'");
          assertThat(
                  status("s31", "{'ip':'192.0.2.8'}").json().at("/status/loadBalancer").toString())
              .isEqualTo("{\"ingress\":[{\"ip\":\"192.0.2.8\",\"ipMode\":\"VIP\"}]}");
          services.made("s31-plain", "");
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
                services.create("s22", "'ports':[{'port':80},{'port':81}]"),
                422,
                "Service \"s22\" is invalid: [spec.ports[0].name: Required value,"
                    + " spec.ports[1].name: Required value]"));
    table.row(
        "S23",
        "a name that begins with a digit",
        () -> {
          refused(
              services.create("1abc", ""),
              422,
              "Service \"1abc\" is invalid: metadata.name: Invalid value: \"1abc\": a DNS-1035"
                  + " label must consist of lower case alphanumeric characters or '-', start with"
                  + " an alphabetic character, and end with an alphanumeric character (e.g."
                  + " 'my-name',  or 'abc-123', regex used for validation is"
                  + " '[a-z]([-a-z0-9]*[a-z0-9])?')");
          try (TestServer later = TestServer.start(new MemoryStore(), CIDR, PORTS, false, 36)) {
            new TestServices(later).made("1abc", "");
          }
        });
    table.row(
        "S24",
        "how long a client stays with its pod",
        () -> {
          String timeout = "/sessionAffinityConfig/clientIP/timeoutSeconds";
          JsonNode spec = TestServices.spec(services.made("s24", "'sessionAffinity':'ClientIP'"));
          assertThat(spec.at(timeout).asInt()).isEqualTo(10_800);
          services.made("s24-day", affinity(86_400));
          for (int wrong : List.of(0, 86_401)) {
            refused(
                services.create("s24-wrong", affinity(wrong)),
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
          assertThat(TestServices.spec(services.made("s25", spec)).has("sessionAffinityConfig"))
              .isFalse();
        });
    table.row(
        "S32",
        "outside traffic has no policy inside",
        () ->
            refused(
                services.create("s32", "'externalTrafficPolicy':'Local'"),
                422,
                "Service \"s32\" is invalid: spec.externalTrafficPolicy: Invalid value: \"Local\":"
                    + " may only be set for externally-accessible services"));
  }

  private Answer status(String name, String ingress) {
    return server
        .send("PATCH", TestServices.PATH + "/" + name + "/status")
        .header("Content-Type", "application/merge-patch+json")
        .body("{'status':{'loadBalancer':{'ingress':[" + ingress + "]}}}")
        .now();
  }
}
