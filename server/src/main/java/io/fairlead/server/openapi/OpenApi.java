package io.fairlead.server.openapi;

import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Schemas;
import io.fairlead.server.discovery.LazyDocument;
import io.fairlead.server.discovery.StaticDocument;
import io.fairlead.server.resource.Resource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The descriptions of the API by which kubectl explains, validates and merges.
///
/// Version 3 is an index and one document per group and version; version 2 is one large document,
/// in JSON and in protobuf (all that kubectl up to 1.28 takes). They are made at the first request,
/// because a server that no client asks should start fast, and kept. Safe for all threads.
public final class OpenApi {
  /// What kubectl asks version 2 for; the answer is called [#PROTOBUF_V2].
  public static final String PROTOBUF_V2_REQUEST =
      "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

  public static final String PROTOBUF_V2 =
      "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

  private static final String JSON = "application/json";
  private static final String ROOT = "/openapi/v3/";

  private final Schemas schemas;
  private final GroupVersionKindIndex kinds;
  private final Operations operations;
  private final List<Resource> resources;
  private final CustomSchemas custom;
  private final Map<String, List<Resource>> served;
  private final String version;
  private final Map<String, LazyDocument> documents = new LinkedHashMap<>();
  private final LazyDocument index;
  private final LazyDocument json;
  private final LazyDocument protobuf;

  /// @param version what the server calls itself, `v1.34.0`
  public OpenApi(Schemas schemas, List<Resource> resources, String version) {
    this(schemas, resources, version, null);
  }

  /// The documents of the same server when it serves these. A document of version 3 that is about
  /// the same resources as before is kept.
  public OpenApi of(List<Resource> served) {
    return new OpenApi(schemas, served, version, this);
  }

  private OpenApi(
      Schemas schemas, List<Resource> resources, String version, @Nullable OpenApi before) {
    this.schemas = schemas;
    this.resources = List.copyOf(resources);
    this.version = version;
    this.kinds = new GroupVersionKindIndex(resources);
    this.custom = CustomSchemas.of(resources);
    this.operations = new Operations(schemas, custom);
    Map<String, List<Resource>> byPath = new LinkedHashMap<>();
    for (Resource resource : resources) {
      String path = Operations.root(resource.descriptor()).substring(1);
      byPath.computeIfAbsent(path, _ -> new ArrayList<>()).add(resource);
    }
    served = byPath;
    byPath.forEach(
        (path, listed) -> {
          LazyDocument known =
              before != null && listed.equals(before.served.get(path))
                  ? before.documents.get(path)
                  : null;
          documents.put(path, known == null ? new LazyDocument(() -> version3(listed)) : known);
        });
    index = new LazyDocument(this::makeIndex);
    json = new LazyDocument(() -> new StaticDocument(Json.bytes(version2()), JSON));
    protobuf =
        new LazyDocument(() -> new StaticDocument(GnosticWriter.write(version2()), PROTOBUF_V2));
  }

  /// `/openapi/v3`. Makes all documents of version 3, because their hashes stand in it.
  public StaticDocument index() {
    return index.get();
  }

  /// The document of one group and version, or null when it is not served.
  ///
  /// @param path what follows `/openapi/v3/`: `api/v1`, `apis/apps/v1`
  public @Nullable StaticDocument document(String path) {
    LazyDocument document = documents.get(path);
    return document == null ? null : document.get();
  }

  /// Where the document lies for good: `/openapi/v3/api/v1?hash=…`. A request with another hash is
  /// sent there.
  public static String location(String path, StaticDocument document) {
    return ROOT + path + "?hash=" + document.hash();
  }

  /// `/openapi/v2` as JSON.
  public StaticDocument version2Json() {
    return json.get();
  }

  /// `/openapi/v2` as protobuf.
  public StaticDocument version2Protobuf() {
    return protobuf.get();
  }

  private StaticDocument makeIndex() {
    ObjectNode out = Json.object();
    ObjectNode paths = out.putObject("paths");
    documents.forEach(
        (path, document) ->
            paths.putObject(path).put("serverRelativeURL", location(path, document.get())));
    return new StaticDocument(Json.bytes(out), JSON);
  }

  private StaticDocument version3(List<Resource> listed) {
    SchemaWriter writer = new SchemaWriter(schemas, custom, kinds, true);
    ObjectNode out = Json.object().put("openapi", "3.0.0");
    info(out);
    out.set("paths", new PathWriter(writer, true).paths(operationsOf(listed)));
    out.putObject("components").set("schemas", writer.all());
    return new StaticDocument(Json.bytes(out), JSON);
  }

  private ObjectNode version2() {
    SchemaWriter writer = new SchemaWriter(schemas, custom, kinds, false);
    ObjectNode out = Json.object().put("swagger", "2.0");
    info(out);
    out.set("paths", new PathWriter(writer, false).paths(operationsOf(resources)));
    out.set("definitions", writer.all());
    return out;
  }

  private void info(ObjectNode out) {
    out.putObject("info").put("title", "Kubernetes").put("version", version);
  }

  private List<Operation> operationsOf(List<Resource> listed) {
    List<Operation> all = new ArrayList<>();
    listed.forEach(resource -> all.addAll(operations.of(resource)));
    return all;
  }
}
