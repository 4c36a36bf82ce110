package io.fairlead.server.rest;

import io.fairlead.api.apply.FieldManager;
import io.fairlead.api.apply.ServerSideApply;
import io.fairlead.api.codec.BodyFormat;
import io.fairlead.api.codec.DecodedBody;
import io.fairlead.api.codec.Decoder;
import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.schema.UnstructuredConversion;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.server.resource.Subresource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A server-side apply: what one manager wants of an object (spec 2.9).
record ApplyPatch(
    ResourceRequest call,
    BodyDecoder.Expected expected,
    WriteOptions options,
    ObjectNode config,
    boolean creates,
    FieldManager manager)
    implements PatchReader.Patch {

  static ApplyPatch read(
      ResourceRequest call, BodyDecoder.Expected expected, Subresource.@Nullable View view) {
    WriteOptions options = WriteOptions.parse(call.exchange(), "PatchOptions", true);
    ObjectNode config;
    try {
      byte[] body = BodyDecoder.bytes(call);
      DecodedBody decoded = Decoder.parse(body, BodyFormat.YAML);
      if (!decoded.strictProblems().isEmpty()) {
        report(call, options, Yaml.read(body).lines());
      }
      config = decoded.object();
    } catch (DecodeException e) {
      throw ApiException.badRequest("error decoding YAML: " + BodyDecoder.text(e));
    }
    String apiVersion = Json.textOr(config, "", "apiVersion");
    String kind = Json.textOr(config, "", "kind");
    if (!apiVersion.equals(expected.apiVersion()) || !kind.equals(expected.kind())) {
      throw ApiException.badRequest(
          "invalid object type: "
              + (apiVersion.contains("/") ? apiVersion : "/" + apiVersion)
              + ", Kind="
              + kind);
    }
    if (config.path("metadata").path("name").isNull()) {
      checkNamed(call, config);
    }
    String subresource = view == null ? "" : view.name();
    return new ApplyPatch(
        call,
        expected,
        options,
        config,
        view == null,
        ManagedFieldsTracker.manager(call, subresource, options));
  }

  /// Fields that are given twice. Those that no schema knows are always refused.
  private static void report(ResourceRequest call, WriteOptions options, List<String> lines) {
    switch (options.strictness()) {
      case IGNORE -> {}
      case WARN -> lines.forEach(call::warn);
      case STRICT ->
          throw ApiException.badRequest(
              "error decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  "
                  + String.join("\n  ", lines));
    }
  }

  @Override
  public ObjectNode apply(ObjectNode current) {
    return merged(current);
  }

  @Override
  public @Nullable ObjectNode fromNothing() {
    return creates ? merged(null) : null;
  }

  @Override
  public boolean ownsFields() {
    return true;
  }

  private ObjectNode merged(@Nullable ObjectNode live) {
    ObjectNode result =
        ServerSideApply.apply(live, config, expected.schema(), manager, options.force());
    try {
      if (!expected.isCustom()) {
        UnstructuredConversion.convert(result, expected.schema());
      }
      ObjectNode object = expected.conformed(new DecodedBody(result, List.of())).object();
      object.put("kind", expected.kind()).put("apiVersion", expected.apiVersion());
      checkNamed(call, object);
      return object;
    } catch (DecodeException e) {
      throw unconverted(BodyDecoder.text(e));
    }
  }

  private ApiException unconverted(String why) {
    String group = expected.apiVersion().contains("/") ? "" : "/";
    String type = group + expected.apiVersion() + ", Kind=" + expected.kind();
    String named =
        Json.textOr(config, "", "metadata", "namespace")
            + "/"
            + Json.textOr(config, "", "metadata", "name");
    return new ApiException(
        Status.of(
            500,
            "",
            "failed to convert new object ("
                + named
                + "; "
                + type
                + ") to proper version: unable to convert unstructured object to "
                + type
                + ": "
                + why));
  }

  /// The result of a patch must still have its name.
  static void checkNamed(ResourceRequest call, ObjectNode object) {
    if (ObjectMetadata.name(object).isEmpty()) {
      throw ApiException.badRequest(
          "the name of the object ("
              + call.name()
              + " based on URL) was undeterminable: name must be provided");
    }
  }
}
