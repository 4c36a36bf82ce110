package io.fairlead.proxy.flows;

import static io.fairlead.proxy.flows.Destination.Place.CLUSTER_IP;
import static io.fairlead.proxy.flows.Destination.Place.EXTERNAL_IP;
import static io.fairlead.proxy.flows.Destination.Place.LOAD_BALANCER;
import static io.fairlead.proxy.flows.Destination.Place.LOCALHOST;
import static io.fairlead.proxy.flows.Destination.Place.PRIMARY;
import static io.fairlead.proxy.flows.Destination.Place.SECOND;
import static io.fairlead.proxy.flows.Destination.Place.UNALLOCATED;
import static io.fairlead.proxy.flows.Origin.BAD;
import static io.fairlead.proxy.flows.Origin.EXTERNAL;
import static io.fairlead.proxy.flows.Origin.L1;
import static io.fairlead.proxy.flows.Origin.NODE;
import static io.fairlead.proxy.flows.Origin.POD;
import static io.fairlead.proxy.flows.Origin.VIP;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.flows.Destination.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The flow vectors of spec/proxy.md 7.3, for every mode, family and protocol.
public final class Flows {
  private static final List<Origin> ALL = List.of(POD, NODE, EXTERNAL);
  private static final ExpectedOutcome REJECTED = new ExpectedOutcome.Rejected();
  private static final ExpectedOutcome DROPPED = new ExpectedOutcome.Dropped();
  private static final ExpectedOutcome NOT_HANDLED = new ExpectedOutcome.NotHandled();

  private final List<Flow> rows = new ArrayList<>();

  private Flows() {}

  /// All rows for a family.
  public static List<Flow> of(IpAddress.Family family) {
    Flows flows = new Flows();
    flows.clusterIps();
    flows.externalAddresses();
    flows.localPolicies();
    flows.refused();
    flows.sources();
    flows.unknown();
    flows.setups();
    flows.protocols();
    if (family == IpAddress.Family.IPV4) {
      flows.localhost();
    } else {
      flows.add("F31", NODE, "web", LOCALHOST, NOT_HANDLED);
    }
    return List.copyOf(flows.rows);
  }

  private void clusterIps() {
    add("F1", POD, "cart", CLUSTER_IP, preserved("L1", "R1"));
    add("F2", NODE, "cart", CLUSTER_IP, masqueraded("L1", "R1"));
    add("F2", EXTERNAL, "cart", CLUSTER_IP, masqueraded("L1", "R1"));
    add("F3", L1, "hair", CLUSTER_IP, masqueraded("L1"));
    add("F24", POD, "sticky", CLUSTER_IP, preserved("L1", "L2", "R1").alwaysTheSame());
    add("F24", EXTERNAL, "sticky", CLUSTER_IP, masqueraded("L1", "L2", "R1").alwaysTheSame());
  }

  private void externalAddresses() {
    for (Origin from : ALL) {
      for (Place to : List.of(PRIMARY, SECOND, LOAD_BALANCER, EXTERNAL_IP)) {
        add("F4", from, "web", to, masqueraded("L1", "R1"));
      }
    }
  }

  private void localPolicies() {
    add("F6", POD, "local", CLUSTER_IP, preserved("L1", "R1"));
    add("F6", NODE, "local", CLUSTER_IP, masqueraded("L1", "R1"));
    add("F6", EXTERNAL, "local", CLUSTER_IP, masqueraded("L1", "R1"));
    for (Place to : List.of(PRIMARY, LOAD_BALANCER, EXTERNAL_IP)) {
      add("F7", POD, "local", to, preserved("L1", "R1"));
      add("F8", NODE, "local", to, masqueraded("L1", "R1"));
      add("F9", EXTERNAL, "local", to, preserved("L1"));
    }
    add("F10", POD, "remote", CLUSTER_IP, preserved("R1"));
    add("F10", NODE, "remote", CLUSTER_IP, masqueraded("R1"));
    add("F10", EXTERNAL, "remote", CLUSTER_IP, masqueraded("R1"));
    for (Place to : List.of(PRIMARY, LOAD_BALANCER)) {
      add("F11", POD, "remote", to, preserved("R1"));
      add("F11", NODE, "remote", to, masqueraded("R1"));
      add("F12", EXTERNAL, "remote", to, DROPPED);
    }
    add("F13", POD, "itp", CLUSTER_IP, preserved("L1"));
    add("F13", NODE, "itp", CLUSTER_IP, masqueraded("L1"));
    add("F13", EXTERNAL, "itp", CLUSTER_IP, masqueraded("L1"));
    for (Origin from : ALL) {
      add("F14", from, "itp", PRIMARY, masqueraded("L1", "R1"));
      add("F15", from, "itpnone", CLUSTER_IP, DROPPED);
    }
  }

  private void refused() {
    for (Origin from : ALL) {
      add("F16", from, "empty", CLUSTER_IP, REJECTED);
      add("F16", from, "empty", PRIMARY, REJECTED);
    }
    for (Place to : List.of(LOAD_BALANCER, EXTERNAL_IP)) {
      add("F17", POD, "empty", to, REJECTED);
      add("F17", EXTERNAL, "empty", to, REJECTED);
      // The original's iptables mode lets these leave the node; ours refuses in every mode.
      add("F18", NODE, "empty", to, REJECTED);
    }
  }

  private void sources() {
    add("F19", EXTERNAL, "fw", LOAD_BALANCER, masqueraded("L1"));
    for (Origin from : List.of(BAD, POD, NODE)) {
      add("F20", from, "fw", LOAD_BALANCER, DROPPED);
    }
    add("F21", BAD, "fw", PRIMARY, masqueraded("L1"));
    add("F22", NODE, "fwnode", LOAD_BALANCER, masqueraded("L1"));
    Destination self = Destination.of("fwnode", LOAD_BALANCER);
    rows.add(Flow.of("F22", Setup.STANDARD, VIP, self, masqueraded("L1")).withoutPackets());
    add("F23", POD, "fwnode", LOAD_BALANCER, DROPPED);
  }

  private void unknown() {
    Destination undefined = new Destination("cart", CLUSTER_IP, 81, null);
    for (Origin from : List.of(POD, NODE)) {
      rows.add(onlyNftables("F25", Setup.STANDARD, from, undefined, NOT_HANDLED, REJECTED));
    }
    add("F26", POD, "cart", UNALLOCATED, NOT_HANDLED, DROPPED);
  }

  private void setups() {
    setup("F27", Setup.NO_DETECTOR, NODE, "cart", CLUSTER_IP, preserved("L1", "R1"));
    setup("F27", Setup.NO_DETECTOR, EXTERNAL, "cart", CLUSTER_IP, preserved("L1", "R1"));
    for (Place to : List.of(PRIMARY, LOAD_BALANCER, EXTERNAL_IP)) {
      setup("F28", Setup.NO_DETECTOR, POD, "local", to, preserved("L1"));
    }
    setup("F28", Setup.NO_DETECTOR, POD, "remote", PRIMARY, DROPPED);
    setup("F28", Setup.NO_DETECTOR, POD, "remote", LOAD_BALANCER, DROPPED);
    setup("F29", Setup.MASQUERADE_ALL, POD, "cart", CLUSTER_IP, masqueraded("L1", "R1"));
    setup("F29", Setup.MASQUERADE_ALL, POD, "local", CLUSTER_IP, masqueraded("L1", "R1"));
    setup("F29", Setup.MASQUERADE_ALL, POD, "itp", CLUSTER_IP, masqueraded("L1"));
    setup("F30", Setup.PRIMARY_NODE_PORTS, EXTERNAL, "web", SECOND, NOT_HANDLED);
    setup("F30", Setup.PRIMARY_NODE_PORTS, EXTERNAL, "web", PRIMARY, masqueraded("L1", "R1"));
  }

  private void protocols() {
    protocol(Protocol.UDP, 53, preserved("L1").at(53));
    protocol(Protocol.TCP, 53, preserved("L1").at(5353));
    Destination sctp = new Destination("dns", CLUSTER_IP, 53, Protocol.SCTP);
    rows.add(Flow.of("F33", Setup.STANDARD, POD, sctp, preserved("L1").at(54)).withoutPackets());
    Destination udpOnly = new Destination("dns", CLUSTER_IP, 9999, Protocol.TCP);
    rows.add(onlyNftables("F33", Setup.STANDARD, POD, udpOnly, NOT_HANDLED, REJECTED));
  }

  private void protocol(Protocol protocol, int port, ExpectedOutcome expected) {
    Destination to = new Destination("dns", CLUSTER_IP, port, protocol);
    rows.add(Flow.of("F33", Setup.STANDARD, POD, to, expected));
  }

  private void localhost() {
    add("F5", NODE, "web", LOCALHOST, masqueraded("L1", "R1"), REJECTED);
    Destination to = Destination.of("web", LOCALHOST);
    rows.add(onlyNftables("F5", Setup.NO_LOCALHOST, NODE, to, NOT_HANDLED, REJECTED));
  }

  private void add(String id, Origin from, String service, Place place, ExpectedOutcome expected) {
    setup(id, Setup.STANDARD, from, service, place, expected);
  }

  private void add(
      String id,
      Origin from,
      String service,
      Place place,
      ExpectedOutcome usual,
      ExpectedOutcome nftables) {
    Destination to = Destination.of(service, place);
    rows.add(onlyNftables(id, Setup.STANDARD, from, to, usual, nftables));
  }

  private void setup(
      String id, Setup setup, Origin from, String service, Place place, ExpectedOutcome expected) {
    Destination to = Destination.of(service, place);
    rows.add(Flow.of(id, setup, from, to, expected));
  }

  /// A row where nftables mode does more than the others can.
  private static Flow onlyNftables(
      String id,
      Setup setup,
      Origin from,
      Destination to,
      ExpectedOutcome usual,
      ExpectedOutcome nftables) {
    return Flow.of(id, setup, from, to, usual).butIn(Mode.NFTABLES, nftables);
  }

  private static ExpectedOutcome.Reaches preserved(String... endpoints) {
    return new ExpectedOutcome.Reaches(Set.of(endpoints), false, false, Fixture.TARGET_PORT);
  }

  private static ExpectedOutcome.Reaches masqueraded(String... endpoints) {
    return new ExpectedOutcome.Reaches(Set.of(endpoints), true, false, Fixture.TARGET_PORT);
  }
}
