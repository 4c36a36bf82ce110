package io.fairlead.server.resources.kind;

import io.fairlead.api.json.Json;
import io.fairlead.server.resource.Subresource;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `…/scale`: how many replicas there shall be and are, in the same shape for every kind that has
/// replicas.
public abstract class AbstractScaleView implements Subresource.View {
  private static final List<String> METADATA =
      List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp");

  @Override
  public final String name() {
    return "scale";
  }

  @Override
  public final String group() {
    return "autoscaling";
  }

  @Override
  public final String version() {
    return "v1";
  }

  @Override
  public final String kind() {
    return "Scale";
  }

  @Override
  public final String schemaName() {
    return ResourceDescriptorBuilder.schemaName(group(), version(), kind());
  }

  @Override
  public final List<String> verbs() {
    return PartialUpdateView.READ_AND_WRITE;
  }

  /// What is shown.
  ///
  /// @param selector as text; empty where there is none
  protected final ObjectNode scale(
      ObjectNode parent, int replicas, int actualReplicas, String selector) {
    ObjectNode scale = Json.object();
    scale.put("kind", kind()).put("apiVersion", "autoscaling/v1");
    ObjectNode metadata = scale.putObject("metadata");
    for (String key : METADATA) {
      JsonNode value = parent.path("metadata").get(key);
      if (value != null) {
        metadata.set(key, value);
      }
    }
    ObjectNode spec = scale.putObject("spec");
    if (replicas != 0) {
      spec.put("replicas", replicas);
    }
    ObjectNode status = scale.putObject("status");
    status.put("replicas", actualReplicas);
    if (!selector.isEmpty()) {
      status.put("selector", selector);
    }
    return scale;
  }
}
