package io.fairlead.controller.serving;

import io.fairlead.api.net.IpAddress.Family;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.objects.V1Condition;
import io.fairlead.client.objects.V1Pod;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/// A pod, as far as it can be an endpoint. Immutable.
///
/// @param phase `Pending`, `Running`, `Succeeded`, `Failed`; empty when nothing was reported
/// @param nodeName empty when it is bound to none
/// @param namedPorts what its containers and sidecars declare by name, in order
/// @param ready its condition Ready is True
/// @param readyChanged when that condition last changed
/// @param holdups what keeps it from being ready; empty when it is
public record EndpointPod(
    ObjectMeta metadata,
    String phase,
    String nodeName,
    String hostname,
    String subdomain,
    List<PodAddress> addresses,
    List<ContainerPort> namedPorts,
    boolean ready,
    Optional<Instant> readyChanged,
    List<NotReadyCause> holdups)
    implements HasMetadata {

  public EndpointPod {
    addresses = List.copyOf(addresses);
    namedPorts = List.copyOf(namedPorts);
    holdups = List.copyOf(holdups);
  }

  public static EndpointPod of(V1Pod pod) {
    V1Pod.Spec spec = pod.spec();
    Optional<V1Condition> condition = pod.status().condition("Ready");
    boolean ready = condition.isPresent() && condition.get().isTrue();
    return new EndpointPod(
        pod.metadata(),
        pod.status().phase(),
        spec.nodeName(),
        spec.hostname(),
        spec.subdomain(),
        PodAddress.of(pod.status()),
        ContainerPort.named(spec),
        ready,
        condition.flatMap(V1Condition::transitionTime),
        ready ? List.of() : NotReadyCause.of(spec, pod.status()));
  }

  public ObjectKey key() {
    return metadata.key();
  }

  public Map<String, String> labels() {
    return metadata.labels();
  }

  public boolean terminating() {
    return metadata.beingDeleted();
  }

  /// It ran and will not run again.
  public boolean finished() {
    return phase.equals("Succeeded") || phase.equals("Failed");
  }

  /// Whether it may be listed at all, ready or not: it has an address and has not finished. A
  /// terminating pod still may; the older Endpoints leave those out.
  public boolean addressable() {
    return !finished() && !addresses.isEmpty();
  }

  /// Its first address of a family.
  public Optional<PodAddress> address(Family family) {
    for (PodAddress address : addresses) {
      if (address.family() == family) {
        return Optional.of(address);
      }
    }
    return Optional.empty();
  }

  /// The number behind a Service's port in this pod: empty when the port goes by a name that this
  /// pod does not declare for that protocol.
  public OptionalInt resolve(ServicePortSpec port) {
    return switch (port.target()) {
      case TargetPort.Numeric(int number) -> OptionalInt.of(number);
      case TargetPort.Named(String name) -> {
        for (ContainerPort declared : namedPorts) {
          if (declared.name().equals(name) && declared.protocol().equals(port.protocol())) {
            yield OptionalInt.of(declared.port());
          }
        }
        yield OptionalInt.empty();
      }
    };
  }

  /// Its own name under a Service, which DNS answers: its hostname, if it asks for a subdomain of
  /// that Service's name. Empty otherwise.
  public String hostnameIn(Service service) {
    return subdomain.equals(service.key().name())
            && key().namespace().equals(service.key().namespace())
        ? hostname
        : "";
  }
}
