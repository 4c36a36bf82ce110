package io.fairlead.proxy.tracking;

import io.fairlead.api.json.Tokens;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.tracking.SliceObject.Content;
import io.fairlead.proxy.tracking.SliceObject.Endpoint;
import io.fairlead.proxy.tracking.SliceObject.Port;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;

/// One EndpointSlice while it is read. Its members may come in any order.
final class SliceReader {
  private static final String SERVICE_LABEL = "kubernetes.io/service-name";
  private static final String TRIGGER = "endpoints.kubernetes.io/last-change-trigger-time";

  private final Slim metadata =
      new Slim(mark -> mark.equals(SERVICE_LABEL) || mark.equals(TRIGGER));
  private final List<Port> ports = new ArrayList<>();
  private final List<Endpoint> endpoints = new ArrayList<>();
  private IpAddress.@Nullable Family family;

  SliceObject read(JsonParser in) {
    for (String it = Tokens.firstMember(in); it != null; it = Tokens.nextMember(in)) {
      switch (it) {
        case "metadata" -> metadata.read(in);
        case "addressType" -> family = family(Tokens.textOr(in, ""));
        case "ports" -> ports(in);
        case "endpoints" -> endpoints(in);
        default -> {}
      }
    }
    ObjectMeta meta = metadata.metadata();
    removeOthers();
    return new SliceObject(
        meta,
        new ObjectKey(meta.key().namespace(), metadata.labels().getOrDefault(SERVICE_LABEL, "")),
        family,
        new Content(family == null ? List.of() : ports, endpoints),
        time(metadata.annotations().get(TRIGGER)));
  }

  private void removeOthers() {
    for (Iterator<Endpoint> each = endpoints.iterator(); each.hasNext(); ) {
      if (each.next().address().family() != family) {
        each.remove();
      }
    }
  }

  private static IpAddress.@Nullable Family family(String type) {
    return switch (type) {
      case "IPv4" -> IpAddress.Family.IPV4;
      case "IPv6" -> IpAddress.Family.IPV6;
      default -> null;
    };
  }

  private static final class PortDraft {
    private @Nullable String name;
    private int port;
    private String protocol = "TCP";
  }

  private void ports(JsonParser in) {
    for (boolean is = Tokens.firstItem(in); is; is = Tokens.nextItem(in)) {
      PortDraft draft = new PortDraft();
      for (String it = Tokens.firstMember(in); it != null; it = Tokens.nextMember(in)) {
        switch (it) {
          case "name" -> draft.name = Tokens.text(in);
          case "port" -> draft.port = Tokens.integerOr(in, 0);
          case "protocol" -> draft.protocol = Tokens.textOr(in, "TCP");
          default -> {}
        }
      }
      if (draft.name != null && draft.port != 0) {
        ports.add(new Port(draft.name.intern(), draft.port, Protocol.of(draft.protocol)));
      }
    }
  }

  private static final class EndpointDraft {
    private @Nullable IpAddress address;
    private String node = "";
    private boolean ready = true;
    private boolean serving = true;
    private boolean terminating;
    private Set<String> zones = Set.of();
    private Set<String> nodes = Set.of();

    Endpoint endpoint(IpAddress at) {
      return new Endpoint(at, node, ready, serving, terminating, zones, nodes);
    }
  }

  private void endpoints(JsonParser in) {
    for (boolean is = Tokens.firstItem(in); is; is = Tokens.nextItem(in)) {
      EndpointDraft draft = new EndpointDraft();
      for (String it = Tokens.firstMember(in); it != null; it = Tokens.nextMember(in)) {
        switch (it) {
          case "addresses" -> address(in, draft);
          case "nodeName" -> draft.node = Tokens.textOr(in, "").intern();
          case "conditions" -> conditions(in, draft);
          case "hints" -> hints(in, draft);
          default -> {}
        }
      }
      if (draft.address != null) {
        endpoints.add(draft.endpoint(draft.address));
      }
    }
  }

  /// Only the first one counts.
  private static void address(JsonParser in, EndpointDraft draft) {
    boolean first = true;
    for (boolean is = Tokens.firstItem(in); is; is = Tokens.nextItem(in)) {
      if (first) {
        draft.address = IpAddress.parseLenientOrNull(Tokens.textOr(in, ""));
        first = false;
      }
    }
  }

  private static void conditions(JsonParser in, EndpointDraft draft) {
    for (String it = Tokens.firstMember(in); it != null; it = Tokens.nextMember(in)) {
      switch (it) {
        case "ready" -> draft.ready = Tokens.booleanOr(in, true);
        case "serving" -> draft.serving = Tokens.booleanOr(in, true);
        case "terminating" -> draft.terminating = Tokens.booleanOr(in, false);
        default -> {}
      }
    }
  }

  private static void hints(JsonParser in, EndpointDraft draft) {
    for (String it = Tokens.firstMember(in); it != null; it = Tokens.nextMember(in)) {
      switch (it) {
        case "forZones" -> draft.zones = names(in);
        case "forNodes" -> draft.nodes = names(in);
        default -> {}
      }
    }
  }

  private static Set<String> names(JsonParser in) {
    Set<String> names = new TreeSet<>();
    for (boolean is = Tokens.firstItem(in); is; is = Tokens.nextItem(in)) {
      for (String it = Tokens.firstMember(in); it != null; it = Tokens.nextMember(in)) {
        if (it.equals("name")) {
          names.add(Tokens.textOr(in, "").intern());
        }
      }
    }
    return Set.copyOf(names);
  }

  private static @Nullable Instant time(@Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException _) {
      return null;
    }
  }
}
