package io.fairlead.proxy.ipvs;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.ipvs.RealServer;
import io.fairlead.kernel.ipvs.VirtualServer;
import io.fairlead.kernel.ipvs.VirtualServerAddress;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.NodePortAddresses;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.ServicePort;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/// Turns what was decided about a service port into virtual servers, addresses and entries of sets.
/// Pure.
///
/// @param nodeAddresses the addresses of the node's own interfaces
/// @param nodePorts where node ports answer
/// @param scheduler what is taken for the scheduler a Service wants; another one where the kernel
///   lacks that
record IpvsRenderer(
    Set<IpAddress> nodeAddresses, List<IpAddress> nodePorts, UnaryOperator<String> scheduler) {
  private static final int WEIGHT = 1;

  static IpvsRenderer of(
      NodePortAddresses where, Set<IpAddress> nodeAddresses, UnaryOperator<String> scheduler) {
    List<IpAddress> nodePorts =
        switch (where) {
          case NodePortAddresses.All() -> nodeAddresses.stream().sorted().toList();
          // Loopback is not for this mode: IPVS does not see packets that never leave it.
          case NodePortAddresses.Only(List<IpAddress> only) ->
              only.stream().filter(address -> !address.isLoopback()).toList();
        };
    return new IpvsRenderer(Set.copyOf(nodeAddresses), nodePorts, scheduler);
  }

  RenderedServicePort render(ServicePlan plan) {
    return new Work(plan).render();
  }

  /// One service port being rendered.
  private final class Work {
    private final ServicePlan plan;
    private final ServicePort port;
    private final String protocol;
    private final List<DesiredVirtualServer> servers = new ArrayList<>();
    private final List<IpAddress> bound = new ArrayList<>();
    private final List<IpsetEntry> entries = new ArrayList<>();
    private final List<String> blocked = new ArrayList<>();
    private final List<RealServer> external;

    Work(ServicePlan plan) {
      this.plan = plan;
      this.port = plan.port();
      this.protocol = port.protocol().lower();
      this.external = reals(port.externalLocal());
    }

    RenderedServicePort render() {
      server(port.clusterIp(), port.port(), reals(port.internalLocal()));
      bind(port.clusterIp());
      entry(SetKind.CLUSTER_IP, place(port.clusterIp(), port.port()));
      for (IpAddress address : port.externalIps()) {
        externalServer(address);
        entry(
            port.externalLocal() ? SetKind.EXTERNAL_IP_LOCAL : SetKind.EXTERNAL_IP,
            place(address, port.port()));
      }
      port.loadBalancerIps().forEach(this::loadBalancer);
      nodePort();
      loopback();
      return new RenderedServicePort(servers, bound, entries, blocked);
    }

    private void loadBalancer(IpAddress address) {
      externalServer(address);
      String place = place(address, port.port());
      entry(SetKind.LOAD_BALANCER, place);
      if (port.externalLocal()) {
        entry(SetKind.LOAD_BALANCER_LOCAL, place);
      }
      if (port.sourceRanges().isEmpty()) {
        return;
      }
      entry(SetKind.LOAD_BALANCER_FIREWALL, place);
      for (Cidr range : port.sourceRanges()) {
        entry(SetKind.LOAD_BALANCER_SOURCE_CIDR, place + "," + network(range));
      }
      if (plan.allowedSources().size() > port.sourceRanges().size()) {
        entry(SetKind.LOAD_BALANCER_SOURCE_IP, place + "," + address);
      } else {
        // The node takes the address itself for its source, for it is one of its own.
        blocked.add(
            "-s %s/%d -m ipvs --vproto %d --vaddr %s --vport %d -j DROP"
                .formatted(
                    address,
                    address.family().bits(),
                    port.protocol().number(),
                    address,
                    port.port()));
      }
    }

    private void nodePort() {
      int number = port.nodePort();
      if (port.healthCheckNodePort() != 0) {
        entry(SetKind.HEALTH_CHECK_NODE_PORT, String.valueOf(port.healthCheckNodePort()));
      }
      if (number == 0) {
        return;
      }
      for (IpAddress address : nodePorts) {
        server(address, number, external);
        if (port.protocol() == Protocol.SCTP) {
          nodePortEntry(place(address, number));
        }
      }
      if (port.protocol() != Protocol.SCTP) {
        nodePortEntry(String.valueOf(number));
      }
    }

    private void nodePortEntry(String text) {
      SetKind all =
          switch (port.protocol()) {
            case TCP -> SetKind.NODE_PORT_TCP;
            case UDP -> SetKind.NODE_PORT_UDP;
            case SCTP -> SetKind.NODE_PORT_SCTP;
          };
      SetKind local =
          switch (port.protocol()) {
            case TCP -> SetKind.NODE_PORT_LOCAL_TCP;
            case UDP -> SetKind.NODE_PORT_LOCAL_UDP;
            case SCTP -> SetKind.NODE_PORT_LOCAL_SCTP;
          };
      entry(all, text);
      if (port.externalLocal()) {
        entry(local, text);
      }
    }

    /// A pod that calls itself through the Service must not see its own address as the caller's.
    private void loopback() {
      for (Backend endpoint : plan.endpoints()) {
        if (endpoint.local()) {
          entry(
              SetKind.LOOP_BACK,
              place(endpoint.address(), endpoint.port()) + "," + endpoint.address());
        }
      }
    }

    private void externalServer(IpAddress address) {
      server(address, port.port(), external);
      if (!nodeAddresses.contains(address)) {
        bind(address);
      }
    }

    /// Where local endpoints are asked for and there are none, those of the cluster serve: local
    /// pods can then still reach the Service.
    private List<RealServer> reals(boolean localOnly) {
      List<Backend> chosen =
          localOnly && !plan.choice().local().isEmpty()
              ? plan.choice().local()
              : plan.choice().cluster();
      return chosen.stream()
          .map(
              backend ->
                  new RealServer(
                      KernelDummyInterface.inet(backend.address()), backend.port(), WEIGHT))
          .toList();
    }

    private void server(IpAddress address, int number, List<RealServer> reals) {
      String chosen = scheduler.apply(port.options().getOrDefault(Schedulers.OPTION, ""));
      int sticky = port.stickySeconds();
      servers.add(
          new DesiredVirtualServer(
              new VirtualServer(
                  new VirtualServerAddress(
                      KernelDummyInterface.inet(address), number, port.protocol().number()),
                  chosen,
                  Schedulers.flags(chosen) | (sticky > 0 ? VirtualServer.PERSISTENT : 0),
                  sticky),
              reals));
    }

    private void bind(IpAddress address) {
      bound.add(address);
      entry(SetKind.IPVS_IPS, address.toString());
    }

    private void entry(SetKind set, String text) {
      entries.add(new IpsetEntry(set, text));
    }

    private String place(IpAddress address, int number) {
      return address + "," + protocol + ":" + number;
    }

    /// `ipset` prints a range of one address as that address.
    private static String network(Cidr range) {
      return range.prefixLength() == range.family().bits()
          ? range.address().toString()
          : range.toString();
    }
  }
}
