package io.fairlead.api.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

class MetadataRulesTest {
  private static final String PART =
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
          + " alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for"
          + " validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

  record Case(String name, String metadata, String... messages) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> creations() {
    return Stream.of(
        new Case("fine", "{'name':'a','namespace':'b','labels':{'x':'y'}}"),
        new Case(
            "no name",
            "{'namespace':'b'}",
            "metadata.name: Required value: name or generateName is required"),
        new Case("no namespace", "{'name':'a'}", "metadata.namespace: Required value"),
        new Case(
            "bad label key and value",
            "{'name':'a','namespace':'b','labels':{'a b':'c d'}}",
            "metadata.labels: Invalid value: \"a b\": name part " + PART,
            "metadata.labels: Invalid value: \"c d\": a valid label must be an empty string or"
                + " consist of alphanumeric characters, '-', '_' or '.', and must start and end"
                + " with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345',"
                + " regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"),
        new Case(
            "annotation key",
            "{'name':'a','namespace':'b','annotations':{'Example.COM/Ok':'any text','-':''}}",
            "metadata.annotations: Invalid value: \"-\": name part " + PART),
        new Case(
            "owner without name and uid",
            "{'name':'a','namespace':'b','ownerReferences':"
                + "[{'apiVersion':'v1','kind':'Pod','name':'','uid':''}]}",
            "metadata.ownerReferences.name: Invalid value: \"\": must not be empty",
            "metadata.ownerReferences.uid: Invalid value: \"\": must not be empty"),
        new Case(
            "two controllers",
            "{'name':'a','namespace':'b','ownerReferences':["
                + "{'apiVersion':'v1','kind':'Pod','name':'a','uid':'1','controller':true},"
                + "{'apiVersion':'v1','kind':'Pod','name':'b','uid':'2','controller':true}]}",
            "metadata.ownerReferences: Invalid value: [{\"apiVersion\":\"v1\",\"kind\":\"Pod\","
                + "\"name\":\"a\",\"uid\":\"1\",\"controller\":true},{\"apiVersion\":\"v1\","
                + "\"kind\":\"Pod\",\"name\":\"b\",\"uid\":\"2\",\"controller\":true}]: Only one"
                + " reference can have Controller set to true. Found \"true\" in references for"
                + " Pod/a and Pod/b"),
        new Case(
            "bad finalizer",
            "{'name':'a','namespace':'b','finalizers':['a b']}",
            "metadata.finalizers: Invalid value: \"a b\": name part " + PART,
            "metadata.finalizers[0]: Invalid value: \"a b\": name is neither a standard finalizer"
                + " name nor is it fully qualified"),
        new Case(
            "manager with a control character",
            "{'name':'a','namespace':'b','managedFields':[{'manager':'m\\n','operation':'x'}]}",
            "metadata.managedFields[0].operation: Invalid value: \"x\": must be `Apply` or"
                + " `Update`",
            "metadata.managedFields[0].manager: Invalid value: \"m\\n\": invalid character U+000A"
                + " (at position 1)"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("creations")
  void onCreate(Case row) {
    assertThat(
            messages(
                MetadataRules.validate(object(row.metadata()), true, NameFormat.DNS1123_SUBDOMAIN)))
        .containsExactly(row.messages());
  }

  @Test
  void clusterScopedObjectsHaveNoNamespace() {
    assertThat(
            messages(
                MetadataRules.validate(
                    object("{'name':'a','namespace':'b'}"), false, NameFormat.DNS1123_LABEL)))
        .containsExactly("metadata.namespace: Forbidden: not allowed on this type");
  }

  @Test
  void annotationsTogetherAreBounded() {
    ObjectNode object = object("{'name':'a','namespace':'b'}");
    object.withObject("/metadata/annotations").put("a", "x".repeat(256 << 10));
    assertThat(messages(MetadataRules.validate(object, true, NameFormat.DNS1123_LABEL)))
        .containsExactly("metadata.annotations: Too long: may not be more than 262144 bytes");
  }

  @Test
  void noFinalizersForDyingObjects() {
    assertThat(
            messages(
                MetadataRules.validateUpdate(
                    object("{'name':'a','finalizers':['example.com/more','example.com/old']}"),
                    object(
                        "{'name':'a','deletionTimestamp':'2024-01-01T00:00:00Z',"
                            + "'finalizers':['example.com/old']}"))))
        .containsExactly(
            "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being"
                + " deleted, found new finalizers []string{\"example.com/more\"}");
  }

  @Test
  void identityDoesNotChange() {
    assertThat(
            messages(
                MetadataRules.validateUpdate(
                    object("{'name':'b','namespace':'n','uid':'2'}"),
                    object("{'name':'a','namespace':'n','uid':'1'}"))))
        .containsExactly(
            "metadata.name: Invalid value: \"b\": field is immutable",
            "metadata.uid: Invalid value: \"2\": field is immutable");
  }

  @Test
  void selectorsAreChecked() {
    assertThat(
            messages(
                MetadataRules.labelSelector(
                    json(
                        "{'matchExpressions':[{'key':'a','operator':'In'},"
                            + "{'key':'b','operator':'Exists','values':['x']},"
                            + "{'key':'c','operator':'Near'}]}"),
                    "spec.selector")))
        .containsExactly(
            "spec.selector.matchExpressions[0].values: Required value: must be specified when"
                + " `operator` is 'In' or 'NotIn'",
            "spec.selector.matchExpressions[1].values: Forbidden: may not be specified when"
                + " `operator` is 'Exists' or 'DoesNotExist'",
            "spec.selector.matchExpressions[2].operator: Invalid value: \"Near\": not a valid"
                + " selector operator");
  }

  private static List<String> messages(List<FieldError> errors) {
    return errors.stream().map(FieldError::message).toList();
  }

  private static ObjectNode object(String metadata) {
    ObjectNode object = Json.object();
    object.set("metadata", json(metadata));
    return object;
  }

  private static ObjectNode json(String text) {
    return Json.parseObject(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }
}
