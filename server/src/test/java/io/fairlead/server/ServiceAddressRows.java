package io.fairlead.server;

import static io.fairlead.server.TestServices.at;
import static io.fairlead.server.TestServices.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.server.TestServer.Answer;
import io.fairlead.store.testing.MemoryStore;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Vectors of section 8.3 about addresses and families.
final class ServiceAddressRows {
  private static final String PORTS = "30000-32767";

  private final TestServer server;
  private final TestServices services;

  ServiceAddressRows(TestServer server) {
    this.server = server;
    this.services = new TestServices(server);
  }

  void addTo(Vectors table) {
    addresses(table);
    families(table);
  }

  private void addresses(Vectors table) {
    table.row(
        "S1",
        "first start",
        () -> {
          assertThat(services.get("kubernetes").at("spec", "clusterIP")).isEqualTo("10.0.0.1");
          assertThat(services.isClaimed("10.0.0.1")).isTrue();
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
            String address = services.made("s2-" + i, "").at("spec", "clusterIP");
            assertThat(seen.add(address)).isTrue();
            IpAddress parsed = IpAddress.parse(address);
            assertThat(Cidr.parse("10.0.0.0/16").contains(parsed)).isTrue();
            assertThat(low.contains(parsed) || address.equals("10.0.1.0")).as(address).isFalse();
          }
          TestServices.checkClaims(server, server.store);
          server
              .send("DELETE", TestServices.PATH + "?fieldSelector=metadata.name!%3Dkubernetes")
              .now();
        });
    table.row(
        "S3",
        "a chosen address",
        () -> {
          assertThat(services.made("redis-primary", at("10.0.0.11")).at("spec", "clusterIP"))
              .isEqualTo("10.0.0.11");
          refused(
              services.create("redis-other", at("10.0.0.11")),
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
                  services.create("s4", at(outside)),
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
            TestServices few = new TestServices(small);
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
              TestServices.spec(services.made("s5", "'clusterIP':'None','selector':{'a':'b'}"));
          assertThat(spec.path("clusterIPs").toString()).isEqualTo("[\"None\"]");
          assertThat(spec.path("ipFamilyPolicy").asString()).isEqualTo("SingleStack");
          assertThat(spec.path("ipFamilies").toString()).isEqualTo("[\"IPv4\"]");
        });
    table.row(
        "S6",
        "headless without a selector",
        () -> {
          JsonNode spec = TestServices.spec(services.made("s6", "'clusterIP':'None'"));
          assertThat(spec.path("ipFamilyPolicy").asString()).isEqualTo("RequireDualStack");
          assertThat(spec.path("ipFamilies").toString()).isEqualTo("[\"IPv4\",\"IPv6\"]");
        });
    table.row(
        "S7",
        "two families required where there is one",
        () ->
            refused(
                services.create("s7", "'ipFamilyPolicy':'RequireDualStack'"),
                422,
                "Service \"s7\" is invalid: spec.ipFamilyPolicy: Invalid value:"
                    + " \"RequireDualStack\": this cluster is not configured for dual-stack"
                    + " services"));
    table.row(
        "S8",
        "two families preferred where there is one",
        () -> {
          JsonNode spec =
              TestServices.spec(services.made("s8", "'ipFamilyPolicy':'PreferDualStack'"));
          assertThat(spec.path("clusterIPs").size()).isEqualTo(1);
          assertThat(spec.path("ipFamilies").toString()).isEqualTo("[\"IPv4\"]");
          assertThat(spec.path("ipFamilyPolicy").asString()).isEqualTo("PreferDualStack");
        });
  }
}
