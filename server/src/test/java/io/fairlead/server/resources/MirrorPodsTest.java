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
        new Row(
            "a mirror that the agent makes",
            MIRROR
                + ", ownerReferences: [{apiVersion: v1, kind: Node, name: n1, controller: true}]",
            "nodeName: n1, volumes: [{name: v, hostPath: {path: /etc}}, {name: e, emptyDir: {}}]",
            ""),
        new Row(
            "owned by a kind of that name elsewhere",
            MIRROR + ", ownerReferences: [{apiVersion: a.b/v1, kind: Node, name: n1}]",
            "nodeName: n1",
            "owner reference"),
        new Row(
            "owned twice",
            MIRROR + ", ownerReferences: [{kind: Node, name: n1}, {kind: Node, name: n1}]",
            "nodeName: n1",
            "owner reference"),
        new Row(
            "holding its owner back",
            MIRROR + ", ownerReferences: [{kind: Node, name: n1, blockOwnerDeletion: true}]",
            "nodeName: n1",
            "blocks its owner"),
        volume("a CSI driver", "csi: {driver: d}", "kind csi"),
        volume("Endpoints of Gluster", "glusterfs: {endpoints: e, path: p}", "kind glusterfs"),
        volume("what comes later", "someFutureSource: {objectName: s}", "kind someFutureSource"),
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
            "kind secret"),
        reference("secret of envFrom", "envFrom: [{secretRef: {name: s}}]", "secretRef"),
        reference("config map of envFrom", "envFrom: [{configMapRef: {name: s}}]", "configMapRef"),
        reference(
            "secret of a variable",
            "env: [{name: A, valueFrom: {secretKeyRef: {name: s, key: k}}}]",
            "secretKeyRef"),
        reference(
            "config map of a variable",
            "env: [{name: A, valueFrom: {configMapKeyRef: {name: s, key: k}}}]",
            "configMapKeyRef"),
        reference("a resource claim", "resources: {claims: [{name: g}]}", "claims"),
        new Row(
            "secret of an init container",
            MIRROR,
            "nodeName: n1, initContainers: [{name: i, envFrom: [{secretRef: {name: s}}]}]",
            "secretRef"),
        new Row(
            "secret for pulling",
            MIRROR,
            "nodeName: n1, imagePullSecrets: [{name: s}]",
            "imagePullSecrets"),
        new Row(
            "the account's old field",
            MIRROR,
            "nodeName: n1, serviceAccount: admin",
            "service accounts"),
        new Row(
            "resource claims of the pod",
            MIRROR,
            "nodeName: n1, resourceClaims: [{name: g, resourceClaimName: c}]",
            "resourceClaims"),
        volume("a config map", "configMap: {name: c}", "configMap"),
        volume("a projected token", "projected: {sources: [{secret: {name: s}}]}", "projected"),
        volume("a claim", "persistentVolumeClaim: {claimName: c}", "persistentVolumeClaim"),
        volume("a claim made for it", "ephemeral: {volumeClaimTemplate: {}}", "ephemeral"),
        volume(
            "secret of a CSI driver",
            "csi: {driver: d, nodePublishSecretRef: {name: s}}",
            "nodePublishSecretRef"),
        volume("secret of Ceph", "cephfs: {monitors: [m], secretRef: {name: s}}", "secretRef"),
        volume("secret of Azure", "azureFile: {secretName: s, shareName: x}", "secretName"));
  }

  private static Row reference(String name, String container, String why) {
    return new Row(
        name, MIRROR, "nodeName: n1, containers: [{name: c, image: i, " + container + "}]", why);
  }

  private static Row volume(String name, String source, String why) {
    return new Row(name, MIRROR, "nodeName: n1, volumes: [{name: v, " + source + "}]", why);
  }

  private static ObjectNode admitted(Row row, FakeContext context) {
    ObjectNode pod =
        (ObjectNode)
            Yaml.parse(
                "metadata: {name: web-n1, namespace: ns, "
                    + row.metadata()
                    + "}\nspec: {"
                    + (row.spec().contains(" containers:")
                        ? ""
                        : "containers: [{name: c, image: i}], ")
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
