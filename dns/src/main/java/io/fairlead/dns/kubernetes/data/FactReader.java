package io.fairlead.dns.kubernetes.data;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.RawObject;
import io.fairlead.client.objects.FieldMask;
import io.fairlead.client.objects.V1EndpointSlice;
import io.fairlead.client.objects.V1Namespace;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.client.objects.V1Service;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Cuts objects of the API down to facts. What many objects have in common is kept once: port lists
/// and names of zones. Safe for any thread.
final class FactReader {
  private static final FieldMask SERVICE_FIELDS = FieldMask.of(FieldMask.Part.LOAD_BALANCER);
  private static final FieldMask SLICE_FIELDS =
      FieldMask.of(FieldMask.Part.TARGETS)
          .labels(V1EndpointSlice.SERVICE_LABEL)
          .annotations(V1EndpointSlice.TRIGGER_ANNOTATION);
  private static final FieldMask POD_FIELDS = FieldMask.of(FieldMask.Part.IDENTITY);
  private static final int LONGEST_POD_NAME = 63;
  private static final int REMEMBERED = 10_000;

  // Without ports an address still resolves, also at `_._`, but there is no SRV for it.
  private static final List<PortFacts> NO_PORT = List.of(new PortFacts("", "", PortFacts.NONE));

  private final DataOptions options;
  // Guarded by itself.
  private final Map<Object, Object> known = new HashMap<>();

  FactReader(DataOptions options) {
    this.options = options;
  }

  NamespaceFacts namespace(RawObject object) {
    V1Namespace namespace = object.read(in -> V1Namespace.read(in, FieldMask.of()));
    return new NamespaceFacts(namespace.metadata().key());
  }

  DnsServiceFacts service(RawObject object) {
    V1Service service = object.read(in -> V1Service.read(in, SERVICE_FIELDS));
    V1Service.Spec spec = service.spec();
    if (service.isExternalName()) {
      return new DnsServiceFacts(
          service.metadata().key(),
          DnsServiceFacts.Kind.EXTERNAL_NAME,
          List.of(),
          List.of(),
          spec.externalName(),
          List.of());
    }
    List<String> texts =
        spec.clusterIps().isEmpty() ? List.of(spec.clusterIp()) : spec.clusterIps();
    boolean headless = texts.getFirst().equals("None");
    List<IpAddress> addresses = headless ? List.of() : addresses(texts);
    DnsServiceFacts.Kind kind =
        headless
            ? DnsServiceFacts.Kind.HEADLESS
            : addresses.isEmpty() ? DnsServiceFacts.Kind.PENDING : DnsServiceFacts.Kind.CLUSTER_IP;
    List<PortFacts> ports = new ArrayList<>(spec.ports().size());
    for (V1Service.Port port : spec.ports()) {
      ports.add(port(port.name(), port.protocol(), port.port()));
    }
    return new DnsServiceFacts(
        service.metadata().key(), kind, addresses, ports(ports), "", external(service));
  }

  private List<IpAddress> external(V1Service service) {
    if (!options.external()) {
      return List.of();
    }
    List<String> texts = new ArrayList<>(service.spec().externalIps());
    for (V1Service.Ingress ingress : service.ingress()) {
      texts.add(ingress.ip());
    }
    return addresses(texts);
  }

  SliceFacts slice(RawObject object) {
    V1EndpointSlice slice = object.read(in -> V1EndpointSlice.read(in, SLICE_FIELDS));
    ObjectKey key = slice.metadata().key();
    boolean ignored = slice.addressType().equals("FQDN");
    List<EndpointFacts> endpoints = new ArrayList<>(slice.endpoints().size());
    if (!ignored) {
      for (V1EndpointSlice.Endpoint endpoint : slice.endpoints()) {
        if (!Boolean.FALSE.equals(endpoint.ready())) {
          add(endpoints, endpoint);
        }
      }
    }
    List<PortFacts> ports = new ArrayList<>(slice.ports().size());
    for (V1EndpointSlice.Port port : slice.ports()) {
      String name = port.name();
      ports.add(port(name == null ? "" : name, port.protocol(), port.port()));
    }
    return new SliceFacts(key, slice.service(), ports(ports), endpoints, changedAt(slice), ignored);
  }

  private void add(List<EndpointFacts> endpoints, V1EndpointSlice.Endpoint endpoint) {
    String name = name(endpoint);
    String zone = options.zones() ? endpoint.zone() : "";
    for (String address : endpoint.addresses()) {
      IpAddress parsed = IpAddress.parseLenientOrNull(address);
      if (parsed != null) {
        endpoints.add(new EndpointFacts(parsed, name, zone));
      }
    }
  }

  private @Nullable String name(V1EndpointSlice.Endpoint endpoint) {
    if (!endpoint.hostname().isEmpty()) {
      return endpoint.hostname().toLowerCase(Locale.ROOT);
    }
    V1EndpointSlice.Target target = endpoint.target();
    String pod = options.endpointPodNames() && target != null ? target.name() : "";
    return pod.isEmpty() || pod.length() > LONGEST_POD_NAME ? null : pod.toLowerCase(Locale.ROOT);
  }

  private static long changedAt(V1EndpointSlice slice) {
    String text = slice.annotations().getOrDefault(V1EndpointSlice.TRIGGER_ANNOTATION, "");
    if (text.isEmpty()) {
      return 0;
    }
    try {
      return Instant.parse(text).toEpochMilli();
    } catch (DateTimeException _) {
      return 0;
    }
  }

  PodFacts pod(RawObject raw) {
    V1Pod pod = raw.read(in -> V1Pod.read(in, POD_FIELDS));
    return new PodFacts(
        pod.metadata().key(), addresses(pod.status().addresses()), pod.metadata().beingDeleted());
  }

  private static PortFacts port(String name, String protocol, int number) {
    return new PortFacts(name, protocol, number == 0 ? PortFacts.NONE : number);
  }

  private List<PortFacts> ports(List<PortFacts> ports) {
    return intern(ports.isEmpty() ? NO_PORT : List.copyOf(ports));
  }

  private static List<IpAddress> addresses(List<String> texts) {
    List<IpAddress> addresses = new ArrayList<>();
    for (String text : texts) {
      IpAddress address = IpAddress.parseLenientOrNull(text);
      if (address != null && !addresses.contains(address)) {
        addresses.add(address);
      }
    }
    return addresses;
  }

  @SuppressWarnings("unchecked") // an equal key has the same type
  private <T> T intern(T value) {
    synchronized (known) {
      if (known.size() > REMEMBERED) {
        known.clear();
      }
      Object first = known.putIfAbsent(value, value);
      return first == null ? value : (T) first;
    }
  }
}
