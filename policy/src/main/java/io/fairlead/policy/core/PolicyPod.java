package io.fairlead.policy.core;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.RawObject;
import io.fairlead.client.objects.FieldMask;
import io.fairlead.client.objects.V1Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.core.JsonParser;

/// A pod as policies see it: labels, addresses and the names of its ports.
///
/// @param node where it runs; empty before it is scheduled
/// @param finished its phase is Succeeded or Failed: it has no address any more
/// @param addresses at most one of each family, all of them usable
/// @param ports the numbers of each named port
/// @param started some container has run
public record PolicyPod(
    ObjectMeta metadata,
    String created,
    String node,
    boolean hostNetwork,
    boolean finished,
    List<IpAddress> addresses,
    Map<PortName, SortedSet<Integer>> ports,
    boolean started)
    implements HasMetadata {

  private static final FieldMask FIELDS =
      FieldMask.of(FieldMask.Part.IDENTITY, FieldMask.Part.CONTAINERS).allLabels();

  /// Of two pods with one address, the greater one has it.
  static final Comparator<PolicyPod> CLAIM =
      Comparator.<PolicyPod, Boolean>comparing(pod -> !pod.metadata.beingDeleted())
          .thenComparing(PolicyPod::created)
          .thenComparing(pod -> pod.metadata.uid())
          .thenComparing(pod -> pod.key().toString());

  public PolicyPod {
    addresses = List.copyOf(addresses);
    ports = Map.copyOf(ports);
  }

  public static PolicyPod read(RawObject object) {
    return object.read(PolicyPod::read);
  }

  /// The same from the tokens of an object, as lists of thousands are read.
  public static PolicyPod read(JsonParser in) {
    V1Pod pod = V1Pod.read(in, FIELDS);
    V1Pod.Spec spec = pod.spec();
    Map<PortName, SortedSet<Integer>> ports = new TreeMap<>();
    for (V1Pod.Container container : spec.containers()) {
      ports(container, ports);
    }
    for (V1Pod.Container container : spec.initContainers()) {
      if (container.isSidecar()) {
        ports(container, ports);
      }
    }
    return new PolicyPod(
        pod.metadata(),
        pod.creationTimestamp(),
        spec.nodeName(),
        spec.hostNetwork(),
        pod.finished(),
        addresses(pod.status()),
        ports,
        started(pod.status()));
  }

  private static void ports(V1Pod.Container container, Map<PortName, SortedSet<Integer>> ports) {
    for (V1Pod.Port port : container.ports()) {
      Optional<IpProtocol> protocol = IpProtocol.of(port.protocol());
      int number = port.containerPort();
      if (!port.name().isEmpty()
          && protocol.isPresent()
          && number > 0
          && number <= PolicyPort.LAST) {
        ports
            .computeIfAbsent(new PortName(port.name(), protocol.get()), _ -> new TreeSet<>())
            .add(number);
      }
    }
  }

  private static List<IpAddress> addresses(V1Pod.Status status) {
    List<IpAddress> addresses = new ArrayList<>();
    for (String text : status.addresses()) {
      IpAddress address = IpAddress.parseOrNull(text);
      if (address != null
          && isUsable(address)
          && addresses.stream().noneMatch(other -> other.family() == address.family())) {
        addresses.add(address);
      }
    }
    return addresses;
  }

  private static boolean isUsable(IpAddress address) {
    return !address.isIpv4Mapped()
        && !address.isLoopback()
        && !address.isLinkLocalUnicast()
        && !address.isMulticast()
        && !address.isUnspecified();
  }

  private static boolean started(V1Pod.Status status) {
    return hasRun(status.initContainers()) || hasRun(status.containers());
  }

  private static boolean hasRun(List<V1Pod.ContainerStatus> containers) {
    for (V1Pod.ContainerStatus container : containers) {
      if (container.state().equals("running")
          || container.state().equals("terminated")
          || container.restartCount() > 0) {
        return true;
      }
    }
    return false;
  }

  public ObjectKey key() {
    return metadata.key();
  }

  public String namespace() {
    return metadata.namespace();
  }

  public Map<String, String> labels() {
    return metadata.labels();
  }

  /// The address of a family that the pod counts with; empty when it does not count.
  public Optional<IpAddress> address(IpAddress.Family family) {
    if (hostNetwork || finished) {
      return Optional.empty();
    }
    return addresses.stream().filter(address -> address.family() == family).findFirst();
  }
}
