package io.fairlead.server.auth.rbac;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.auth.MapClusterReader;
import io.fairlead.server.auth.UserInfo;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NodeAuthorizerTest {
  static final UserInfo NODE =
      RbacAuthorizerTest.user("system:node:n1", "system:nodes", "system:authenticated");

  final MapClusterReader reader = new MapClusterReader();
  final NodeAuthorizer authorizer =
      new NodeAuthorizer(new RbacAuthorizer(RbacSource.of(reader, reader::revision)), reader);

  NodeAuthorizerTest() {
    reader.put(
        "",
        "pods",
        """
        {'metadata':{'namespace':'ns','name':'mine'},'spec':{'nodeName':'n1',
         'serviceAccountName':'bot','imagePullSecrets':[{'name':'pull'}],
         'volumes':[{'secret':{'secretName':'vol'}},{'configMap':{'name':'cm'}},
           {'persistentVolumeClaim':{'claimName':'disk'}},
           {'projected':{'sources':[{'secret':{'name':'proj'}},{'configMap':{'name':'pcm'}}]}}],
         'containers':[{'env':[{'valueFrom':{'secretKeyRef':{'name':'env'}}}],
           'envFrom':[{'secretRef':{'name':'from'}},{'configMapRef':{'name':'fcm'}}]}],
         'initContainers':[{'env':[{'valueFrom':{'configMapKeyRef':{'name':'icm'}}}]}]}}
        """);
    reader.put(
        "",
        "pods",
        "{'metadata':{'namespace':'ns','name':'theirs'},'spec':{'nodeName':'n2',"
            + "'serviceAccountName':'other','volumes':[{'secret':{'secretName':'alien'}}]}}");
  }

  @Test
  void aMirrorPodOfTheNodeProvesNothing() {
    reader.put(
        "",
        "pods",
        "{'metadata':{'namespace':'ns','name':'mirror',"
            + "'annotations':{'kubernetes.io/config.mirror':'x'}},'spec':{'nodeName':'n1',"
            + "'serviceAccountName':'root','volumes':[{'secret':{'secretName':'planted'}},"
            + "{'configMap':{'name':'planted'}}]}}");
    for (String question :
        List.of(
            "get /secrets ns/planted",
            "get /configmaps ns/planted",
            "create /serviceaccounts/token ns/root")) {
      assertThat(authorizer.authorize(RbacAuthorizerTest.ask(NODE, question)).allowed())
          .as(question)
          .isFalse();
    }
  }

  record Case(String name, String question, boolean allowed) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case("secret of a volume", "get /secrets ns/vol", true),
        new Case("secret of a projected volume", "get /secrets ns/proj", true),
        new Case("secret of a variable", "get /secrets ns/env", true),
        new Case("secret of envFrom", "get /secrets ns/from", true),
        new Case("secret for pulling", "get /secrets ns/pull", true),
        new Case("watch of one such secret", "watch /secrets ns/vol", true),
        new Case("secret of another node's pod", "get /secrets ns/alien", false),
        new Case("same name elsewhere", "get /secrets other/vol", false),
        new Case("all secrets", "list /secrets ns", false),
        new Case("a config map is no secret", "get /secrets ns/cm", false),
        new Case("writing a secret", "update /secrets ns/vol", false),
        new Case("config map of a volume", "get /configmaps ns/cm", true),
        new Case("config map of a projected volume", "get /configmaps ns/pcm", true),
        new Case("config map of envFrom", "get /configmaps ns/fcm", true),
        new Case("config map of an init container", "get /configmaps ns/icm", true),
        new Case("another config map", "get /configmaps ns/x", false),
        new Case("own pod's status", "patch /pods/status ns/mine", true),
        new Case("other pod's status", "patch /pods/status ns/theirs", false),
        new Case("own pod deleted", "delete /pods ns/mine", true),
        new Case("other pod deleted", "delete /pods ns/theirs", false),
        new Case("own pod read", "get /pods ns/mine", true),
        new Case("other pod read", "get /pods ns/theirs", false),
        new Case("mirror pods created", "create /pods ns", true),
        new Case("pods bound", "create /pods/binding ns/mine", false),
        new Case("own pods listed", "list /pods - spec.nodeName=n1", true),
        new Case("own pods watched", "watch /pods - spec.nodeName==n1,status.phase=Running", true),
        new Case("all pods listed", "list /pods -", false),
        new Case("all pods watched", "watch /pods ns", false),
        new Case("other node's pods listed", "list /pods - spec.nodeName=n2", false),
        new Case("all but other node's listed", "list /pods - spec.nodeName!=n2", false),
        new Case("volume claim of a pod", "get /persistentvolumeclaims ns/disk", true),
        new Case("another volume claim", "get /persistentvolumeclaims ns/theirs", false),
        new Case("claim of that name elsewhere", "get /persistentvolumeclaims other/disk", false),
        new Case("token for own pod's account", "create /serviceaccounts/token ns/bot", true),
        new Case("token for another account", "create /serviceaccounts/token ns/other", false),
        new Case("own node", "patch /nodes/status -/n1", true),
        new Case("another node", "patch /nodes/status -/n2", false),
        new Case("another node deleted", "delete /nodes -/n2", false),
        new Case("nodes read", "list /nodes -", true),
        new Case("registers", "create /nodes -", true),
        new Case("own lease", "update coordination.k8s.io/leases kube-node-lease/n1", true),
        new Case("another lease", "update coordination.k8s.io/leases kube-node-lease/n2", false),
        new Case(
            "LX9 own announcer's lease",
            "patch coordination.k8s.io/leases kube-public/fairlead-announce-n1",
            true),
        new Case(
            "LX9 another announcer's lease",
            "patch coordination.k8s.io/leases kube-public/fairlead-announce-n2",
            false),
        new Case("lease elsewhere", "update coordination.k8s.io/leases kube-system/n1", false),
        new Case("services", "watch /services -", true),
        new Case("deployments", "list apps/deployments -", false));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void node(Case row) {
    assertThat(authorizer.authorize(RbacAuthorizerTest.ask(NODE, row.question())).allowed())
        .isEqualTo(row.allowed());
  }

  @Test
  void theRefusalTellsWhy() {
    assertThat(authorizer.authorize(RbacAuthorizerTest.ask(NODE, "get /secrets ns/alien")).reason())
        .isEqualTo("no relationship found between node 'n1' and this object");
  }

  @Test
  void theNameWithoutTheGroupIsNobody() {
    UserInfo liar = RbacAuthorizerTest.user("system:node:n1");
    assertThat(authorizer.authorize(RbacAuthorizerTest.ask(liar, "get /secrets ns/vol")).allowed())
        .isFalse();
  }
}
