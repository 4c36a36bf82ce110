package io.fairlead.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Schemas;
import io.fairlead.server.discovery.StaticDocument;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.server.resource.Subresource;
import io.fairlead.server.resources.BuiltInResources;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class OpenApiTest {
  private static final OpenApi API =
      new OpenApi(Schemas.kubernetes(), BuiltInResources.all(), "v1.34.0");

  @Test
  void everyResourceHasASchema() {
    Set<String> missing = new TreeSet<>();
    for (Resource resource : BuiltInResources.all()) {
      ResourceDescriptor descriptor = resource.descriptor();
      check(descriptor.schemaName(), missing);
      if (descriptor.verbs().contains("list")) {
        check(descriptor.schemaName() + "List", missing);
      }
      for (Subresource subresource : resource.subresources()) {
        if (!(subresource instanceof Subresource.Connect)) {
          check(subresource.schemaName(), missing);
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void theIndexNamesEveryGroupAndVersionWithItsHash() {
    JsonNode paths = Json.parse(API.index().bytes()).path("paths");
    for (Resource resource : BuiltInResources.all()) {
      String path = Operations.root(resource.descriptor()).substring(1);
      StaticDocument document = Objects.requireNonNull(API.document(path));
      assertThat(Json.text(paths, path, "serverRelativeURL"))
          .isEqualTo("/openapi/v3/" + path + "?hash=" + document.hash());
    }
    assertThat(API.document("apis/nope/v1")).isNull();
  }

  @Test
  void explainFindsTheServiceAndItsTexts() {
    JsonNode document = document("api/v1");
    JsonNode get =
        Json.at(document, "paths", "/api/v1/namespaces/{namespace}/services/{name}", "get");
    assertThat(Json.text(get, "x-kubernetes-group-version-kind", "kind")).isEqualTo("Service");
    JsonNode spec =
        Json.at(document, "components", "schemas", "io.k8s.api.core.v1.ServiceSpec", "properties");
    assertThat(Json.text(spec, "clusterIP", "description")).startsWith("clusterIP is the IP");
    JsonNode ports = spec.path("ports");
    assertThat(Json.at(ports, "items", "$ref").asString())
        .isEqualTo("#/components/schemas/io.k8s.api.core.v1.ServicePort");
    assertThat(Json.text(ports, "x-kubernetes-patch-merge-key")).isEqualTo("port");
    assertThat(ports.path("x-kubernetes-list-map-keys").toString())
        .isEqualTo("[\"port\",\"protocol\"]");
  }

  @Test
  void patchOperationsCarryWhatKubectlLooksFor() {
    for (Resource resource : BuiltInResources.all()) {
      ResourceDescriptor descriptor = resource.descriptor();
      if (!descriptor.verbs().contains("patch")) {
        continue;
      }
      String root = Operations.root(descriptor);
      String scope = descriptor.namespaced() ? "/namespaces/{namespace}/" : "/";
      JsonNode patch =
          Json.at(
              document(root.substring(1)),
              "paths",
              root + scope + descriptor.plural() + "/{name}",
              "patch");
      Set<String> names = new HashSet<>();
      patch.path("parameters").forEach(one -> names.add(one.path("name").asString()));
      assertThat(names)
          .as(descriptor.plural())
          .contains("dryRun", "fieldManager", "fieldValidation", "force");
      assertThat(patch.path("requestBody").path("content").propertyNames())
          .contains("application/strategic-merge-patch+json", "application/apply-patch+yaml");
      assertThat(Json.text(patch, "x-kubernetes-action")).isEqualTo("patch");
    }
  }

  @Test
  void everyReferenceLeadsSomewhere() {
    for (Resource resource : BuiltInResources.all()) {
      String path = Operations.root(resource.descriptor()).substring(1);
      JsonNode document = document(path);
      references(document, "#/components/schemas/", Json.at(document, "components", "schemas"));
    }
    JsonNode two = Json.parse(API.version2Json().bytes());
    references(two, "#/definitions/", two.path("definitions"));
  }

  @Test
  void operationNamesAreUnique() {
    Set<String> seen = new HashSet<>();
    JsonNode paths = Json.parse(API.version2Json().bytes()).path("paths");
    for (JsonNode item : paths.values()) {
      for (JsonNode operation : item.values()) {
        if (operation.has("operationId")) {
          String id = operation.path("operationId").asString();
          assertThat(seen.add(id)).as(id).isTrue();
        }
      }
    }
    assertThat(seen).contains("patchCoreV1NamespacedService", "listCoreV1NamespacedService");
  }

  @Test
  void versionTwoInProtobufBeginsWithItsNumber() {
    byte[] bytes = API.version2Protobuf().bytes();
    assertThat(bytes).startsWith(0x0a, 0x03, '2', '.', '0');
    assertThat(new String(bytes, StandardCharsets.UTF_8))
        .contains("io.k8s.api.core.v1.ServiceSpec", "application/strategic-merge-patch+json");
    assertThat(API.version2Protobuf().contentType())
        .isEqualTo("application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
  }

  @Test
  void documentsAreMadeOnceAndCompress() throws IOException {
    StaticDocument document = Objects.requireNonNull(API.document("api/v1"));
    assertThat(API.document("api/v1")).isSameAs(document);
    assertThat(document.gzip().length).isLessThan(document.bytes().length / 4);
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(document.gzip()))) {
      assertThat(in.readAllBytes()).isEqualTo(document.bytes());
    }
  }

  private static void references(JsonNode node, String prefix, JsonNode schemas) {
    for (Map.Entry<String, JsonNode> member : node.properties()) {
      if (member.getKey().equals("$ref") && member.getValue().isString()) {
        String name = member.getValue().stringValue();
        assertThat(name).startsWith(prefix);
        assertThat(schemas.has(name.substring(prefix.length()))).as(name).isTrue();
      }
    }
    node.values().forEach(child -> references(child, prefix, schemas));
  }

  private static JsonNode document(String path) {
    return Json.parse(Objects.requireNonNull(API.document(path)).bytes());
  }

  private static void check(String struct, Set<String> missing) {
    if (Schemas.kubernetes().find(struct) == null) {
      missing.add(struct);
    }
  }
}
