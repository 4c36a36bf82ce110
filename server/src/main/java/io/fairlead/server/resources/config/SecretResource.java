package io.fairlead.server.resources.config;

import io.fairlead.api.json.Json;
import io.fairlead.api.json.JsonSyntax;
import io.fairlead.api.schema.Conformer;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.table.Cells;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Data that is not for every eye.
public final class SecretResource extends StoredResource {
  private static final String ACCOUNT = "kubernetes.io/service-account.name";
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Type", "What sort of secret it is."),
          Column.text("Data", "How many keys it has."),
          Cells.AGE);

  public SecretResource() {
    super(
        ResourceDescriptorBuilder.namespaced("", "secrets", "Secret").build(),
        NameValidator.SUBDOMAIN);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    if (object.path("type").asString("").isEmpty()) {
      object.put("type", "Opaque");
    }
    if (object.get("stringData") instanceof ObjectNode texts) {
      Base64.Encoder encoder = Base64.getEncoder();
      for (Map.Entry<String, JsonNode> text : texts.properties()) {
        byte[] bytes = text.getValue().asString("").getBytes(StandardCharsets.UTF_8);
        Json.child(object, "data").put(text.getKey(), encoder.encodeToString(bytes));
      }
    }
    object.remove("stringData");
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    if (old != null) {
      problems.immutable("type", object.path("type"), old.path("type"));
      ConfigDataValidation.checkFrozen(object, old, List.of("data"), problems);
    }
    JsonNode data = object.path("data");
    if (ConfigDataValidation.check(data, "data", true, problems) > ConfigDataValidation.MAX_BYTES) {
      problems.add(FieldError.tooLong("data", ConfigDataValidation.MAX_BYTES));
    }
    switch (object.path("type").asString("")) {
      case "kubernetes.io/service-account-token" -> checkAccount(object, problems);
      case "kubernetes.io/dockercfg" -> checkJson(data, ".dockercfg", problems);
      case "kubernetes.io/dockerconfigjson" -> checkJson(data, ".dockerconfigjson", problems);
      case "kubernetes.io/basic-auth" -> {
        if (!data.has("username") && !data.has("password")) {
          problems.required("data[username]");
          problems.required("data[password]");
        }
      }
      case "kubernetes.io/ssh-auth" -> {
        if (data.path("ssh-privatekey").asString("").isEmpty()) {
          problems.required("data[ssh-privatekey]");
        }
      }
      case "kubernetes.io/tls" -> checkKeys(data, List.of("tls.crt", "tls.key"), problems);
      default -> {
        // Any other type is free in what it holds.
      }
    }
    return problems.list();
  }

  @Override
  public Map<String, String> selectableFields(ObjectNode object) {
    return Map.of("type", object.path("type").asString(""));
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    return List.of(
        Cells.name(object),
        Cells.text(object.path("type").asString("")),
        Cells.number(object.path("data").size()),
        Cells.age(object, now));
  }

  private static void checkAccount(ObjectNode object, Problems problems) {
    if (object.path("metadata").path("annotations").path(ACCOUNT).asString("").isEmpty()) {
      problems.required("metadata.annotations[" + ACCOUNT + "]");
    }
  }

  private static void checkKeys(JsonNode data, List<String> keys, Problems problems) {
    for (String key : keys) {
      if (!data.has(key)) {
        problems.required("data[" + key + "]");
      }
    }
  }

  /// A pair that no server could use is kept, with a warning.
  @Override
  public List<String> warnings(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    if (!object.path("type").asString("").equals("kubernetes.io/tls")) {
      return List.of();
    }
    String problem = TlsPairCheck.problem(bytes(object, "tls.crt"), bytes(object, "tls.key"));
    return problem.isEmpty() ? List.of() : List.of(problem);
  }

  private static byte[] bytes(ObjectNode object, String key) {
    try {
      return Base64.getDecoder().decode(object.path("data").path(key).asString(""));
    } catch (IllegalArgumentException notBase64) {
      return new byte[0];
    }
  }

  private static void checkJson(JsonNode data, String key, Problems problems) {
    if (!data.has(key)) {
      problems.required("data[" + key + "]");
      return;
    }
    String problem;
    try {
      byte[] bytes = Base64.getDecoder().decode(data.path(key).asString(""));
      problem = JsonSyntax.problem(bytes);
      if (problem.isEmpty() && !Json.parse(bytes).isObject()) {
        problem =
            "json: cannot unmarshal "
                + Conformer.shown(Json.parse(bytes))
                + " into Go value of type map[string]interface {}";
      }
    } catch (JacksonException | IllegalArgumentException notJson) {
      problem = "must be valid JSON";
    }
    if (!problem.isEmpty()) {
      problems.invalid("data[" + key + "]", "<secret contents redacted>", problem);
    }
  }
}
