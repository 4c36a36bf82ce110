package io.fairlead.server;

import static io.fairlead.server.TestServices.nodePort;
import static io.fairlead.server.TestServices.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.server.TestServer.Answer;
import io.fairlead.store.testing.MemoryStore;
import java.time.Duration;
import java.util.List;
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
    TestServices.checkClaims(server, server.store);
    super.stop();
  }

  @Override
  Vectors table() {
    Vectors table = new Vectors();
    new ServiceAddressRows(server).addTo(table);
    nodePorts(table);
    nothingLeaks(table);
    new ServiceTypeRows(server).addTo(table);
    table.row("S29", "a kill at any commit", ServiceFaultsTest::everyCommitMayBeTheLast);
    return table;
  }

  private void nodePorts(Vectors table) {
    table.row(
        "S9",
        "one number for two protocols",
        () -> {
          JsonNode ports =
              TestServices.spec(
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
          int before = server.get(TestServices.ADDRESSES).json().path("items").size();
          refused(services().create("s13", ""), 409, "services \"s13\" already exists");
          assertThat(server.get(TestServices.ADDRESSES).json().path("items").size())
              .isEqualTo(before);
        });
    table.row(
        "S14",
        "a rehearsal keeps nothing",
        () -> {
          String body =
              "{'metadata':{'name':'s14'},'spec':{"
                  + nodePort(30381)
                  + ",'clusterIP':'10.0.0.14'}}";
          assertThat(server.post(TestServices.PATH + "?dryRun=All", body).code()).isEqualTo(201);
          assertThat(services().get("s14").code()).isEqualTo(404);
          assertThat(services().isClaimed("10.0.0.14")).isFalse();
          assertThat(server.post(TestServices.PATH, body).code()).isEqualTo(201);
        });
    table.row(
        "S26",
        "a deleted Service takes its address along",
        () -> {
          String address = services().made("s26", "").at("spec", "clusterIP");
          String from = server.get(TestServices.ADDRESSES).at("metadata", "resourceVersion");
          Answer gone = services().delete("s26");
          assertThat(gone.at("kind")).isEqualTo("Service");
          assertThat(gone.at("metadata", "name")).isEqualTo("s26");
          String query = "?watch=1&timeoutSeconds=1&resourceVersion=" + from;
          assertThat(server.send("GET", TestServices.ADDRESSES + query).lines())
              .anySatisfy(
                  event -> {
                    assertThat(event.path("type").asString()).isEqualTo("DELETED");
                    assertThat(event.at("/object/metadata/name").asString()).isEqualTo(address);
                  });
          assertThat(server.send("GET", TestServices.PATH + query).lines())
              .anySatisfy(event -> assertThat(event.path("type").asString()).isEqualTo("DELETED"));
        });
    table.row(
        "S27",
        "an address deleted by hand comes back",
        () -> {
          String address = services().made("s27", "").at("spec", "clusterIP");
          server.send("DELETE", TestServices.ADDRESSES + "/" + address).now();
          await().atMost(Duration.ofSeconds(60)).until(() -> services().isClaimed(address));
          assertThat(
                  server
                      .get(TestServices.ADDRESSES + "/" + address)
                      .at("spec", "parentRef", "name"))
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

  private TestServices services() {
    return new TestServices(server);
  }
}
