package io.fairlead.controller.servicecidr;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// Vector IP-3 of spec/controllers.md, case by case.
class ServiceCidrActionTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:01:00Z");

  private record Case(
      String name,
      ServiceCidr range,
      List<ServiceCidr> others,
      List<AllocatedAddress> claims,
      ServiceCidrAction wanted) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    ServiceCidr ready = range("a", "10.77.0.0/24", "True", "", true);
    ServiceCidr going = range("a", "10.77.0.0/24", "True", "2026-01-01T00:00:00Z", true);
    ServiceCidrAction held = new ServiceCidrAction.MarkTerminating(IpAddress.parse("10.77.0.5"));
    return Stream.of(
        row(
            "new: guarded",
            range("a", "10.77.0.0/24", "", "", false),
            new ServiceCidrAction.Guard()),
        row(
            "guarded: ready",
            range("a", "10.77.0.0/24", "", "", true),
            new ServiceCidrAction.MarkReady()),
        row("ready: left alone", ready, new ServiceCidrAction.Fine(), "10.77.0.5"),
        row("going, an address in use", going, held, "10.77.0.5"),
        row(
            "going, said already",
            range("a", "10.77.0.0/24", "False", "2026-01-01T00:00:00Z", true),
            new ServiceCidrAction.Fine(),
            "10.77.0.5"),
        row(
            "going, only others' addresses in use",
            going,
            new ServiceCidrAction.Release(),
            "10.78.0.5"),
        row("going, nothing in use, long ago", going, new ServiceCidrAction.Release()),
        row(
            "going, nothing in use, just now",
            range("a", "10.77.0.0/24", "True", "2026-01-01T00:00:57Z", true),
            new ServiceCidrAction.Later(Duration.ofSeconds(7))),
        row(
            "gone as far as we are concerned",
            range("a", "10.77.0.0/24", "True", "2026-01-01T00:00:00Z", false),
            new ServiceCidrAction.Fine(),
            "10.77.0.5"),
        new Case(
            "going, the address is of another range too",
            going,
            List.of(range("b", "10.77.0.0/16", "True", "", true)),
            List.of(claim("10.77.0.5", true)),
            new ServiceCidrAction.Release()),
        new Case(
            "going, the other range goes too",
            going,
            List.of(range("b", "10.77.0.0/16", "True", "2026-01-01T00:00:00Z", true)),
            List.of(claim("10.77.0.5", true)),
            held),
        new Case(
            "going, an address that a person noted down",
            going,
            List.of(),
            List.of(claim("10.77.0.5", false)),
            new ServiceCidrAction.Release()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void verdict(Case row) {
    List<ServiceCidr> all = new ArrayList<>(row.others());
    all.add(row.range());
    assertThat(ServiceCidrAction.of(row.range(), all, row.claims(), NOW)).isEqualTo(row.wanted());
  }

  private static Case row(
      String name, ServiceCidr range, ServiceCidrAction wanted, String... addresses) {
    return new Case(
        name,
        range,
        List.of(),
        Stream.of(addresses).map(each -> claim(each, true)).toList(),
        wanted);
  }

  private static ServiceCidr range(
      String name, String cidr, String ready, String deleted, boolean guarded) {
    ObjectNode object = Json.object();
    ObjectNode metadata = object.putObject("metadata").put("name", name);
    if (!deleted.isEmpty()) {
      metadata.put("deletionTimestamp", deleted);
    }
    if (guarded) {
      metadata.putArray("finalizers").add(ServiceCidr.FINALIZER);
    }
    object.putObject("spec").putArray("cidrs").add(cidr);
    if (!ready.isEmpty()) {
      object
          .putObject("status")
          .putArray("conditions")
          .addObject()
          .put("type", "Ready")
          .put("status", ready);
    }
    return ServiceCidr.of(object);
  }

  private static AllocatedAddress claim(String address, boolean managed) {
    ObjectNode object = Json.object();
    ObjectNode metadata = object.putObject("metadata").put("name", address);
    if (managed) {
      metadata.putObject("labels").put("ipaddress.kubernetes.io/managed-by", "ipallocator.k8s.io");
    }
    return AllocatedAddress.of(object);
  }
}
