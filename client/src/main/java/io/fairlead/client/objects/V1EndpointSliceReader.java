package io.fairlead.client.objects;

import io.fairlead.api.json.JsonTokenReader;
import io.fairlead.client.objects.FieldMask.Part;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;

/// Reads one EndpointSlice from its tokens.
final class V1EndpointSliceReader {
  private final boolean targets;
  private final boolean hints;
  private final MetadataReader metadata;

  V1EndpointSliceReader(FieldMask mask) {
    this.targets = mask.has(Part.TARGETS);
    this.hints = mask.has(Part.HINTS);
    this.metadata = new MetadataReader(mask);
  }

  V1EndpointSlice read(JsonParser in) {
    String addressType = "";
    List<V1EndpointSlice.Port> ports = List.of();
    List<V1EndpointSlice.Endpoint> endpoints = List.of();
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      switch (it) {
        case "metadata" -> metadata.read(in);
        case "addressType" -> addressType = JsonTokenReader.textOr(in, "").intern();
        case "ports" -> ports = ports(in);
        case "endpoints" -> endpoints = endpoints(in);
        default -> {}
      }
    }
    return new V1EndpointSlice(
        metadata.metadata(),
        metadata.annotations(),
        metadata.generateName(),
        addressType,
        ports,
        endpoints);
  }

  private static List<V1EndpointSlice.Port> ports(JsonParser in) {
    List<V1EndpointSlice.Port> ports = new ArrayList<>(1);
    for (boolean is = JsonTokenReader.firstItem(in); is; is = JsonTokenReader.nextItem(in)) {
      String name = null;
      int port = 0;
      String protocol = "TCP";
      String appProtocol = "";
      for (String it = JsonTokenReader.firstMember(in);
          it != null;
          it = JsonTokenReader.nextMember(in)) {
        switch (it) {
          case "name" -> name = JsonTokenReader.text(in);
          case "port" -> port = JsonTokenReader.integerOr(in, 0);
          case "protocol" -> protocol = V1ServiceReader.protocol(in);
          case "appProtocol" -> appProtocol = JsonTokenReader.textOr(in, "").intern();
          default -> {}
        }
      }
      ports.add(
          new V1EndpointSlice.Port(
              name == null ? null : name.intern(), protocol, port, appProtocol));
    }
    return ports;
  }

  private List<V1EndpointSlice.Endpoint> endpoints(JsonParser in) {
    List<V1EndpointSlice.Endpoint> endpoints = new ArrayList<>();
    EndpointDraft draft = new EndpointDraft();
    for (boolean is = JsonTokenReader.firstItem(in); is; is = JsonTokenReader.nextItem(in)) {
      draft.clear();
      for (String it = JsonTokenReader.firstMember(in);
          it != null;
          it = JsonTokenReader.nextMember(in)) {
        member(in, it, draft);
      }
      endpoints.add(draft.endpoint());
    }
    return endpoints;
  }

  private void member(JsonParser in, String member, EndpointDraft draft) {
    switch (member) {
      case "addresses" -> draft.addresses = JsonTokenReader.texts(in);
      case "nodeName" -> draft.nodeName = JsonTokenReader.textOr(in, "").intern();
      case "conditions" -> conditions(in, draft);
      case "hints" -> {
        if (hints) {
          hints(in, draft);
        }
      }
      case "hostname" -> {
        if (targets) {
          draft.hostname = JsonTokenReader.textOr(in, "");
        }
      }
      case "zone" -> {
        if (targets) {
          draft.zone = JsonTokenReader.textOr(in, "").intern();
        }
      }
      case "targetRef" -> {
        if (targets) {
          draft.target = target(in);
        }
      }
      default -> {}
    }
  }

  /// One endpoint while it is read.
  private static final class EndpointDraft {
    private List<String> addresses = List.of();
    private @Nullable Boolean ready;
    private @Nullable Boolean serving;
    private @Nullable Boolean terminating;
    private String hostname = "";
    private V1EndpointSlice.@Nullable Target target;
    private String nodeName = "";
    private String zone = "";
    private List<String> forZones = List.of();
    private List<String> forNodes = List.of();

    void clear() {
      addresses = List.of();
      ready = null;
      serving = null;
      terminating = null;
      hostname = "";
      target = null;
      nodeName = "";
      zone = "";
      forZones = List.of();
      forNodes = List.of();
    }

    V1EndpointSlice.Endpoint endpoint() {
      return new V1EndpointSlice.Endpoint(
          addresses,
          ready,
          serving,
          terminating,
          hostname,
          target,
          nodeName,
          zone,
          forZones,
          forNodes);
    }
  }

  private static void conditions(JsonParser in, EndpointDraft draft) {
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      switch (it) {
        case "ready" -> draft.ready = JsonTokenReader.booleanOrNull(in);
        case "serving" -> draft.serving = JsonTokenReader.booleanOrNull(in);
        case "terminating" -> draft.terminating = JsonTokenReader.booleanOrNull(in);
        default -> {}
      }
    }
  }

  private static void hints(JsonParser in, EndpointDraft draft) {
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      switch (it) {
        case "forZones" -> draft.forZones = names(in);
        case "forNodes" -> draft.forNodes = names(in);
        default -> {}
      }
    }
  }

  private static List<String> names(JsonParser in) {
    List<String> names = new ArrayList<>(1);
    for (boolean is = JsonTokenReader.firstItem(in); is; is = JsonTokenReader.nextItem(in)) {
      for (String it = JsonTokenReader.firstMember(in);
          it != null;
          it = JsonTokenReader.nextMember(in)) {
        if (it.equals("name")) {
          names.add(JsonTokenReader.textOr(in, "").intern());
        }
      }
    }
    return names;
  }

  private static V1EndpointSlice.Target target(JsonParser in) {
    String kind = "";
    String namespace = "";
    String name = "";
    String uid = "";
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      switch (it) {
        case "kind" -> kind = JsonTokenReader.textOr(in, "").intern();
        case "namespace" -> namespace = JsonTokenReader.textOr(in, "").intern();
        case "name" -> name = JsonTokenReader.textOr(in, "");
        case "uid" -> uid = JsonTokenReader.textOr(in, "");
        default -> {}
      }
    }
    return new V1EndpointSlice.Target(kind, namespace, name, uid);
  }
}
