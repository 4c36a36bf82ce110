package io.fairlead.server.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.resources.pod.PodResource;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// What a node may create: mirrors of its own static pods and nothing else.
class MirrorPodsTest {
  record Row(String name, String metadata, String spec, String why) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final String MIRROR = "annotations: {kubernetes.io/config.mirror: x}";

  static Stream<Row> rows() {
    return Stream.of(
        new Row("a mirror bound to it", MIRROR, "nodeName: n1", ""),
        new Row(
            "a mirror it owns",
            MIRROR + ", ownerReferences: [{kind: Node, name: n1}]",
            "nodeName: n1",
            ""),
        new Row("no mirror", "labels: {}", "nodeName: n1", "annotation"),
        new Row("bound elsewhere", MIRROR, "nodeName: n2", "not bound to node \"n1\""),
        new Row("bound nowhere", MIRROR, "hostname: x", "not bound to node \"n1\""),
        new Row(
            "owned by somebody else",
            MIRROR + ", ownerReferences: [{kind: Node, name: n2}]",
            "nodeName: n1",
            "owner reference"),
        new Row(
            "with an account",
            MIRROR,
            "nodeName: n1, serviceAccountName: admin",
            "service accounts"),
        new Row(
            "with a secret",
            MIRROR,
            "nodeName: n1, volumes: [{name: v, secret: {secretName: s}}]",
            "kind secret"));
  }

  private static ObjectNode admitted(Row row, FakeContext context) {
    ObjectNode pod =
        (ObjectNode)
            Yaml.parse(
                "metadata: {name: web-n1, namespace: ns, "
                    + row.metadata()
                    + "}\nspec: {containers: [{name: c, image: i}], "
                    + row.spec()
                    + "}\n");
    new PodResource().admit(pod, null, context);
    return pod;
  }

  @ParameterizedTest
  @MethodSource("rows")
  void node(Row row) {
    FakeContext context = new FakeContext();
    context.user = new UserInfo("system:node:n1", "", List.of("system:nodes"), Map.of());
    if (row.why().isEmpty()) {
      assertThat(admitted(row, context).path("spec").has("serviceAccountName")).isFalse();
    } else {
      assertThatThrownBy(() -> admitted(row, context))
          .isInstanceOf(ApiException.class)
          .hasMessageContaining("can only create mirror pods")
          .hasMessageContaining(row.why());
    }
  }

  @Test
  void othersAreNotAsked() {
    FakeContext context = new FakeContext();
    Row row = new Row("bob's mirror", MIRROR, "nodeName: n7", "");
    assertThat(admitted(row, context).path("spec").path("nodeName").asString()).isEqualTo("n7");
  }
}
