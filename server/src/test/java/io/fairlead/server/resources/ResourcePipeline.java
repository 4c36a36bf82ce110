package io.fairlead.server.resources;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.admission.AdmissionChain;
import io.fairlead.server.admission.AdmissionRequest;
import io.fairlead.server.resource.Resource;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Runs objects through a resource as the server does, without the server.
final class ResourcePipeline {
  private static final JsonMapper RELAXED =
      JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES)
          .enable(JsonReadFeature.ALLOW_UNQUOTED_PROPERTY_NAMES)
          .build();

  private ResourcePipeline() {}

  static Resource of(String groupVersion, String plural) {
    return BuiltInResources.all().stream()
        .filter(resource -> resource.descriptor().apiVersion().equals(groupVersion))
        .filter(resource -> resource.descriptor().plural().equals(plural))
        .findFirst()
        .orElseThrow();
  }

  /// Reads JSON as people write it in tests: without quotes around names, with single quotes.
  static ObjectNode json(String text) {
    return (ObjectNode) RELAXED.readTree(text.getBytes(StandardCharsets.UTF_8));
  }

  /// Defaults, admits, allocates and prepares, in the server's order.
  static ObjectNode made(Resource resource, ObjectNode object, FakeContext context) {
    ObjectNode copy = object.deepCopy();
    Json.child(copy, "metadata").put("namespace", "ns");
    resource.applyDefaults(copy);
    resource.admit(copy, null, context);
    AdmissionChain.mutate(new AdmissionRequest(resource.descriptor(), copy, null, context));
    resource.companions(copy, null, context);
    resource.prepare(copy, null, context);
    return copy;
  }

  /// What the server would refuse a new object for; empty when it is fine.
  static String problemsOf(Resource resource, ObjectNode object, FakeContext context) {
    try {
      return text(resource.validate(made(resource, object, context), null, context));
    } catch (ApiException refused) {
      return refused.status().message();
    }
  }

  /// What the server would refuse a change for; empty when it is fine.
  static String problemsOfChange(
      Resource resource, ObjectNode old, ObjectNode change, FakeContext context) {
    ObjectNode before = made(resource, old, context);
    ObjectNode next = before.deepCopy();
    merge(next, change);
    try {
      resource.applyDefaults(next);
      resource.admit(next, before, context);
      AdmissionChain.mutate(new AdmissionRequest(resource.descriptor(), next, before, context));
      resource.companions(next, before, context);
      resource.prepare(next, before, context);
      return text(resource.validate(next, before, context));
    } catch (ApiException refused) {
      return refused.status().message();
    }
  }

  static String text(List<FieldError> errors) {
    return String.join("; ", errors.stream().map(FieldError::message).toList());
  }

  private static void merge(ObjectNode into, ObjectNode change) {
    change
        .properties()
        .forEach(
            entry -> {
              @Nullable Object there = into.get(entry.getKey());
              if (entry.getValue().isNull()) {
                into.remove(entry.getKey());
              } else if (there instanceof ObjectNode inner
                  && entry.getValue() instanceof ObjectNode more) {
                merge(inner, more);
              } else {
                into.set(entry.getKey(), entry.getValue());
              }
            });
  }
}
