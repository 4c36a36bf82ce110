package io.fairlead.server.resources.config;

import io.fairlead.api.names.MetadataRules;
import io.fairlead.api.names.NameValidation;
import io.fairlead.api.schema.Quantity;
import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Checks the spec of a claim: of one by itself, of a template, of an ephemeral volume.
public final class ClaimValidation {
  private ClaimValidation() {}

  /// @param path where the spec stands
  public static void checkSpec(JsonNode spec, String path, Problems problems) {
    JsonNode modes = spec.path("accessModes");
    if (modes.isEmpty()) {
      problems.required(path + ".accessModes", "at least 1 access mode is required");
    }
    problems.addAll(MetadataRules.labelSelector(spec.path("selector"), path + ".selector"));
    PersistentVolumeValidation.checkAccessModes(modes, path + ".accessModes", problems);
    JsonNode storage = spec.at("/resources/requests/storage");
    String at = path + ".resources[storage]";
    if (storage.isMissingNode()) {
      problems.required(at);
    } else {
      checkPositive(storage, at, problems);
    }
    checkClassAndMode(spec, path, problems);
    JsonNode attributes = spec.path("volumeAttributesClassName");
    if (!attributes.asString("").isEmpty()) {
      problems.each(
          path + ".volumeAttributesClassName",
          attributes.asString(""),
          NameValidation.dns1123Subdomain(attributes.asString("")));
    }
  }

  static void checkPositive(JsonNode amount, String path, Problems problems) {
    Quantity quantity = Quantity.parseOrNull(amount.asString(""));
    if (quantity != null && quantity.signum() <= 0) {
      problems.invalid(path, quantity.toString(), "must be greater than zero");
    }
  }

  static void checkClassAndMode(JsonNode spec, String path, Problems problems) {
    String storageClass = spec.path("storageClassName").asString("");
    if (!storageClass.isEmpty()) {
      problems.each(
          path + ".storageClassName", storageClass, NameValidation.dns1123Subdomain(storageClass));
    }
    JsonNode mode = spec.path("volumeMode");
    if (mode.isString()) {
      problems.oneOf(path + ".volumeMode", mode, List.of("Block", "Filesystem"));
    }
  }
}
