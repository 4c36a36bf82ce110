package io.fairlead.api.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Schemas;
import io.fairlead.api.schema.StructType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DecoderTest {
  private static final Schemas SCHEMAS = Schemas.kubernetes();

  record Case(String name, BodyFormat format, String kind, String body, String expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> accepted() {
    return Stream.of(
        json("plain object", "core.v1.Service", "{'spec':{'ports':[{'port':80}]}}", ""),
        json(
            "nulls go",
            "core.v1.Service",
            "{'metadata':{'creationTimestamp':null}}",
            "{'metadata':{}}"),
        json(
            "empty lists and maps go",
            "core.v1.PodSpec",
            "{'containers':[],'nodeSelector':{},'tolerations':[]}",
            "{'containers':[]}"),
        json(
            "zero of a plain field goes",
            "core.v1.PodSpec",
            "{'containers':[],'hostNetwork':false}",
            "{'containers':[]}"),
        json("zero of a pointer stays", "apps.v1.DeploymentSpec", "{'replicas':0}", ""),
        json(
            "zero of a required field stays",
            "core.v1.ServicePort",
            "{'port':0,'nodePort':0}",
            "{'port':0}"),
        json("empty object stays", "core.v1.Volume", "{'name':'a','emptyDir':{}}", ""),
        json(
            "int beyond 2^53 survives",
            "core.v1.SecurityContext",
            "{'runAsUser':9007199254740993}",
            ""),
        json(
            "quantities are canonical",
            "core.v1.ResourceRequirements",
            "{'limits':{'a':'1000m','b':'0.5','c':'1024Mi','d':2}}",
            "{'limits':{'a':'1','b':'500m','c':'1Gi','d':'2'}}"),
        json(
            "time is UTC seconds",
            "meta.v1.ObjectMeta",
            "{'creationTimestamp':'2026-01-02T03:04:05.678+01:00'}",
            "{'creationTimestamp':'2026-01-02T02:04:05Z'}"),
        json(
            "micro time has six decimals",
            "coordination.v1.LeaseSpec",
            "{'renewTime':'2026-01-02T03:04:05.678901+01:00'}",
            "{'renewTime':'2026-01-02T02:04:05.678901Z'}"),
        json(
            "int or string keeps its type",
            "core.v1.ServicePort",
            "{'port':1,'targetPort':'http'}",
            ""),
        json(
            "null in a string map is empty text",
            "core.v1.ConfigMap",
            "{'data':{'a':null}}",
            "{'data':{'a':''}}"),
        json(
            "raw data is left alone",
            "apps.v1.ControllerRevision",
            "{'data':{'a':null,'b':[1.5]},'revision':1}",
            ""),
        json(
            "managed fields are left alone",
            "meta.v1.ManagedFieldsEntry",
            "{'fieldsV1':{'f:a':{}}}",
            ""),
        yaml(
            "YAML",
            "core.v1.ConfigMap",
            "data: {a: b}\nmetadata:\n  name: x\n",
            "{'data':{'a':'b'},'metadata':{'name':'x'}}"),
        yaml(
            "JSON under a YAML content type",
            "core.v1.ConfigMap",
            "{\t\"data\": {\"a\": \"b\"}}",
            "{'data':{'a':'b'}}"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("accepted")
  void reads(Case row) {
    DecodedBody decoded = Decoder.decode(bytes(row), row.format(), struct(row.kind()));
    String expected = row.expected().isEmpty() ? quoted(row.body()) : quoted(row.expected());
    assertThat(new String(Json.bytes(decoded.object()), StandardCharsets.UTF_8))
        .isEqualTo(expected);
    assertThat(decoded.strictProblems()).isEmpty();
  }

  static Stream<Case> strict() {
    return Stream.of(
        json(
            "unknown field",
            "core.v1.Service",
            "{'spec':{'selectr':{'a':1},'foo':1}}",
            "unknown field \"spec.selectr\"|unknown field \"spec.foo\""),
        json(
            "unknown field in a list",
            "core.v1.Service",
            "{'spec':{'ports':[{'port':1},{'port':2,'prot':'x'}]}}",
            "unknown field \"spec.ports[1].prot\""),
        json(
            "names are case sensitive",
            "core.v1.Service",
            "{'spec':{'clusterip':'None'}}",
            "unknown field \"spec.clusterip\""),
        json(
            "a flattened message has no name",
            "core.v1.Volume",
            "{'name':'a','volumeSource':{}}",
            "unknown field \"volumeSource\""),
        json(
            "duplicate field",
            "core.v1.Service",
            "{'spec':{'type':'a','type':'b'}}",
            "duplicate field \"spec.type\""),
        yaml(
            "duplicate key",
            "core.v1.Service",
            "spec:\n  type: a\n  type: b\n",
            "duplicate field \"spec.type\""));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("strict")
  void reportsToStrictClients(Case row) {
    assertThat(Decoder.decode(bytes(row), row.format(), struct(row.kind())).strictProblems())
        .isEqualTo(List.of(row.expected().split("\\|", -1)));
  }

  static Stream<Case> refused() {
    return Stream.of(
        json(
            "string for a number",
            "core.v1.Service",
            "{'spec':{'ports':[{'port':'80'}]}}",
            "json: cannot unmarshal string into Go struct field ServicePort.spec.ports.port of type int32"),
        json(
            "number beyond int32",
            "core.v1.ServicePort",
            "{'port':80000000000}",
            "json: cannot unmarshal number 80000000000 into Go struct field ServicePort.port of type int32"),
        json(
            "fraction for an integer",
            "core.v1.ServicePort",
            "{'port':80.5}",
            "json: cannot unmarshal number 80.5 into Go struct field ServicePort.port of type int32"),
        json(
            "list for an object",
            "core.v1.Service",
            "{'spec':[]}",
            "json: cannot unmarshal array into Go struct field Service.spec of type v1.ServiceSpec"),
        json(
            "object for a list",
            "core.v1.Service",
            "{'spec':{'ports':{}}}",
            "json: cannot unmarshal object into Go struct field ServiceSpec.spec.ports of type []v1.ServicePort"),
        json(
            "number in a label",
            "core.v1.Service",
            "{'metadata':{'labels':{'a':1}}}",
            "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string"),
        json(
            "text for a list of text",
            "core.v1.PodSpec",
            "{'containers':[{'name':'a','args':'x'}]}",
            "json: cannot unmarshal string into Go struct field Container.containers.args of type []string"),
        json(
            "bad quantity",
            "core.v1.ResourceRequirements",
            "{'limits':{'cpu':'1x'}}",
            "quantities must match the regular expression"),
        json(
            "bad time",
            "meta.v1.ObjectMeta",
            "{'creationTimestamp':'yesterday'}",
            "parsing time \"yesterday\""),
        json(
            "bad base64",
            "core.v1.Secret",
            "{'data':{'a':'%%'}}",
            "illegal base64 data at input byte 0"),
        json("not JSON", "core.v1.Service", "{nope", "invalid JSON: "),
        json("empty", "core.v1.Service", "", "the body is empty"),
        json("a list", "core.v1.Service", "[]", "the body must be an object, not a list"),
        json("two values", "core.v1.Service", "{} {}", "more data after the end"),
        json(
            "too deep",
            "core.v1.Service",
            "{'a':".repeat(300) + "1" + "}".repeat(300),
            "invalid JSON: "),
        yaml(
            "YAML 1.1 boolean as a name",
            "core.v1.Service",
            "metadata: {name: y}",
            "json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.name of type string"),
        yaml("two documents", "core.v1.Service", "a: 1\n---\nb: 2\n", "more than one document"),
        yaml(
            "empty YAML",
            "core.v1.Service",
            "# nothing\n",
            "the body must be an object, not empty"),
        yaml("broken YAML", "core.v1.Service", "a: [1", "invalid YAML: "));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refused")
  void refuses(Case row) {
    assertThatThrownBy(() -> Decoder.decode(bytes(row), row.format(), struct(row.kind())))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining(row.expected());
  }

  private static Case json(String name, String kind, String body, String expected) {
    return new Case(name, BodyFormat.JSON, kind, body, expected);
  }

  private static Case yaml(String name, String kind, String body, String expected) {
    return new Case(name, BodyFormat.YAML, kind, body, expected);
  }

  private static byte[] bytes(Case row) {
    String body = row.format() == BodyFormat.JSON ? quoted(row.body()) : row.body();
    return body.getBytes(StandardCharsets.UTF_8);
  }

  private static String quoted(String text) {
    return text.replace('\'', '"');
  }

  private static StructType struct(String name) {
    String prefix = name.startsWith("meta.") ? "io.k8s.apimachinery.pkg.apis." : "io.k8s.api.";
    return SCHEMAS.struct(prefix + name);
  }
}
