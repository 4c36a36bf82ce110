package io.fairlead.server;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.protobuf.ProtobufReader;
import io.fairlead.api.protobuf.ProtobufWriter;
import io.fairlead.api.schema.Schemas;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.work.testing.FuzzRun;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// Damaged bodies of requests in YAML and protobuf; JSON has its own test in module `api`.
class BodyReadersFuzzTest {
  private static final String SERVICE =
      """
      {"apiVersion":"v1","kind":"Service","metadata":{"name":"web","namespace":"shop",
       "labels":{"a":"b"},"creationTimestamp":"2026-11-16T10:00:00Z"},
       "spec":{"clusterIP":"10.96.0.1","ports":[{"name":"h","port":80,"targetPort":"http"},
       {"name":"i","port":81,"targetPort":8081}],"selector":{"app":"web"}}}
      """;

  @Test
  void yamlIsReadOrRefused() {
    FuzzRun.run(
        bytes -> Yaml.parse(bytes),
        FuzzRun.texts(
            "a: &x [1, 2.5, yes, null, ~]\nb: *x\nc: {d: 'e', \"f\": g}\nh: |\n  text\n",
            "---\n- !!str 1\n- ? k\n  : v\n- >-\n  folded\n  text\n...\n",
            "<<: {a: b}\n'on': 0x1F\nd: 2026-11-16\n"),
        List.of(DecodeException.class));
  }

  @Test
  void protobufIsReadOrRefused() {
    StructType type = Schemas.kubernetes().struct("io.k8s.api.core.v1.Service");
    ObjectNode service = (ObjectNode) Json.parse(SERVICE.getBytes(StandardCharsets.UTF_8));
    FuzzRun.run(
        bytes -> ProtobufReader.read(bytes, type),
        List.of(ProtobufWriter.write(service, type)),
        List.of(DecodeException.class));
  }
}
