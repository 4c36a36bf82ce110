package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.TestServer.Answer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What an intruder with the credentials of node `n1` tries over HTTP, and does not get.
class NodeAttackTest {
  private static final String PODS = "/api/v1/namespaces/default/pods";

  @TempDir Path directory;
  private TestServer server;

  @BeforeEach
  void start() throws Exception {
    Path tokens =
        Files.writeString(
            directory.resolve("tokens"),
            "admin,root,1,system:masters\nnode,system:node:n1,2,system:nodes\n"
                + "nameless,system:node:,3,system:nodes\nproxy,system:kube-proxy,4\n"
                + "policy,system:fairlead-policy,5\nlooker,looker,6\n");
    server = TestServer.startSecured(directory.resolve("pki"), tokens, InstantSource.system());
    made("/api/v1/namespaces/default/serviceaccounts", "{'metadata':{'name':'default'}}");
    made("/api/v1/nodes", "{'metadata':{'name':'n1'}}");
    made("/api/v1/nodes", "{'metadata':{'name':'n2'},'spec':{'podCIDRs':['10.244.2.0/24']}}");
    made("/api/v1/namespaces/default/secrets", "{'metadata':{'name':'crown-jewels'}}");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aMirrorPodOpensNoSecret() {
    Answer refused =
        as("POST", PODS)
            .body(
                "{'metadata':{'name':'m','annotations':{'kubernetes.io/config.mirror':'x'}},"
                    + "'spec':{'nodeName':'n1','containers':[{'name':'c','image':'i',"
                    + "'envFrom':[{'secretRef':{'name':'crown-jewels'}}]}]}}")
            .now();
    assertThat(refused.code()).as(refused.text()).isEqualTo(403);
    assertThat(as("GET", "/api/v1/namespaces/default/secrets/crown-jewels").now().code())
        .isEqualTo(403);
  }

  record Attack(String name, String method, String path, String body, String why) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Attack> attacks() {
    String leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
    String own = "/api/v1/nodes/n1";
    return Stream.of(
        new Attack(
            "takes all addresses",
            "PATCH",
            own,
            "{'spec':{'podCIDR':'0.0.0.0/0','podCIDRs':['0.0.0.0/0']}}",
            "is not allowed to take the range 0.0.0.0/0"),
        new Attack(
            "takes addresses of Services",
            "PATCH",
            own,
            "{'spec':{'podCIDRs':['10.96.0.0/24']}}",
            "is not allowed to take the range 10.96.0.0/24"),
        new Attack(
            "takes addresses of another node's pods",
            "PATCH",
            own,
            "{'spec':{'podCIDRs':['10.244.2.128/25']}}",
            "is not allowed to take the range 10.244.2.128/25"),
        new Attack(
            "creates another node",
            "POST",
            "/api/v1/nodes",
            "{'metadata':{'name':'n3'}}",
            "is not allowed to modify node \"n3\""),
        new Attack(
            "creates a node of any name",
            "POST",
            "/api/v1/nodes",
            "{'metadata':{'generateName':'n'}}",
            "is not allowed to modify node"),
        new Attack("changes another node", "PATCH", "/api/v1/nodes/n2", "{}", "no relationship"),
        new Attack(
            "changes another node's status",
            "PATCH",
            "/api/v1/nodes/n2/status",
            "{}",
            "no relationship"),
        new Attack(
            "takes its taints off",
            "PATCH",
            own,
            "{'spec':{'taints':null}}",
            "is not allowed to modify taints"),
        new Attack(
            "gives itself an owner",
            "PATCH",
            own,
            "{'metadata':{'ownerReferences':[{'apiVersion':'v1','kind':'ConfigMap','name':'x',"
                + "'uid':'1'}]}}",
            "is not allowed to modify ownerReferences"),
        label("node-restriction.kubernetes.io/tier", own),
        label("a.node-restriction.kubernetes.io/tier", own),
        label("node-role.kubernetes.io/control-plane", own),
        label("x.k8s.io/any", own),
        label("kubernetes.io/any", own + "/status"),
        new Attack(
            "creates another's lease",
            "POST",
            leases,
            "{'metadata':{'name':'n2'}}",
            "same name as the requesting node"),
        new Attack(
            "creates a lease elsewhere",
            "POST",
            leases.replace("kube-node-lease", "kube-system"),
            "{'metadata':{'name':'n1'}}",
            ""),
        new Attack(
            "LX9 speaks for another's announcer",
            "POST",
            leases.replace("kube-node-lease", "kube-public"),
            "{'metadata':{'name':'fairlead-announce-n2'}}",
            "can only access leases in the"),
        new Attack(
            "speaks for another's policies",
            "POST",
            leases.replace("kube-node-lease", "kube-public"),
            "{'metadata':{'name':'fairlead-policy-n2'}}",
            "can only access leases in the"),
        new Attack(
            "speaks for another's proxy by PUT",
            "PUT",
            leases.replace("kube-node-lease", "kube-public") + "/fairlead-proxy-n2",
            "{'metadata':{'name':'fairlead-proxy-n2'}}",
            ""),
        new Attack(
            "speaks for another in its own lease",
            "POST",
            leases.replace("kube-node-lease", "kube-public"),
            "{'metadata':{'name':'fairlead-announce-n1'},'spec':{'holderIdentity':'n2'}}",
            "which alone can hold it"),
        new Attack(
            "speaks for another in its heartbeat",
            "POST",
            leases,
            "{'metadata':{'name':'n1'},'spec':{'holderIdentity':'n2'}}",
            "can only hold leases itself"),
        new Attack(
            "reads a volume that none of its pods use",
            "GET",
            "/api/v1/persistentvolumes/foreign",
            "",
            "no relationship"),
        new Attack(
            "labels a pod", "PATCH", PODS + "/mine", "{'metadata':{'labels':{'a':'b'}}}", ""),
        new Attack(
            "labels a pod through its status",
            "PATCH",
            PODS + "/mine/status",
            "{'metadata':{'labels':{'app':'bank'}}}",
            "cannot update labels through pod status"),
        new Attack(
            "makes a pod its mirror",
            "PATCH",
            PODS + "/mine/status",
            "{'metadata':{'annotations':{'kubernetes.io/config.mirror':'x'}}}",
            "cannot update the annotation"),
        new Attack(
            "reports for another's pod",
            "PATCH",
            PODS + "/theirs/status",
            "{'status':{'phase':'Failed'}}",
            ""),
        new Attack("deletes another's pod", "DELETE", PODS + "/theirs", "", ""),
        token("not bound", "{'spec':{}}", "not bound to a pod"),
        token(
            "bound to the node",
            "{'spec':{'boundObjectRef':{'apiVersion':'v1','kind':'Node','name':'n1','uid':'1'}}}",
            "not bound to a pod"),
        token(
            "bound without a uid",
            "{'spec':{'boundObjectRef':{'apiVersion':'v1','kind':'Pod','name':'mine'}}}",
            "without a uid"),
        token(
            "bound to another's pod",
            "{'spec':{'boundObjectRef':{'apiVersion':'v1','kind':'Pod','name':'theirs',"
                + "'uid':'UID:theirs'}}}",
            "scheduled on a different node"),
        token(
            "for another audience",
            "{'spec':{'audiences':['vault'],'boundObjectRef':{'apiVersion':'v1','kind':'Pod',"
                + "'name':'mine','uid':'UID:mine'}}}",
            "audience \"vault\" not found in pod spec volume"),
        token(
            "for a month",
            "{'spec':{'expirationSeconds':2592000,'boundObjectRef':{'apiVersion':'v1',"
                + "'kind':'Pod','name':'mine','uid':'UID:mine'}}}",
            "for longer than a day"));
  }

  private static Attack label(String key, String path) {
    return new Attack(
        "sets " + key,
        "PATCH",
        path,
        "{'metadata':{'labels':{'" + key + "':'x'}}}",
        "is not allowed to modify labels: " + key);
  }

  private static Attack token(String name, String body, String why) {
    return new Attack(
        "a token " + name,
        "POST",
        "/api/v1/namespaces/default/serviceaccounts/default/token",
        body,
        why);
  }

  private void makePods() {
    made(
        "/api/v1/persistentvolumes",
        "{'metadata':{'name':'foreign'},'spec':{'capacity':{'storage':'1Gi'},'accessModes':"
            + "['ReadWriteOnce'],'hostPath':{'path':'/x'},'claimRef':{'namespace':'default',"
            + "'name':'c'}}}");
    for (String[] each : new String[][] {{"mine", "n1"}, {"theirs", "n2"}}) {
      made(
          PODS,
          "{'metadata':{'name':'"
              + each[0]
              + "'},'spec':{'nodeName':'"
              + each[1]
              + "','containers':[{'name':'c','image':'i'}]}}");
    }
  }

  private String withUids(String body) {
    String text = body;
    for (String pod : List.of("mine", "theirs")) {
      text = text.replace("UID:" + pod, server.get(PODS + "/" + pod).at("metadata", "uid"));
    }
    return text;
  }

  /// All on one server: none changes anything.
  @Test
  void aNodeIsConfinedToItself() {
    makePods();
    SoftAssertions softly = new SoftAssertions();
    for (Attack attack : attacks().toList()) {
      TestServer.Sending sending = as(attack.method(), attack.path()).body(withUids(attack.body()));
      if (attack.method().equals("PATCH")) {
        sending.header("Content-Type", "application/merge-patch+json");
      }
      Answer answer = sending.now();
      softly.assertThat(answer.code()).as(attack + ": " + answer.text()).isEqualTo(403);
      softly.assertThat(answer.message()).as(attack.name()).contains(attack.why());
    }
    softly.assertAll();
  }

  @Test
  void aNodeDoesItsWork() {
    makePods();
    String leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
    allowed("POST", leases, "{'metadata':{'name':'n1'},'spec':{'holderIdentity':'n1'}}");
    allowed("PATCH", leases + "/n1", "{'spec':{'leaseDurationSeconds':40}}");
    allowed(
        "PATCH",
        "/api/v1/nodes/n1",
        "{'metadata':{'labels':{'kubernetes.io/os':'linux','node.kubernetes.io/x':'y','rack':'7'},"
            + "'annotations':{'a':'b'}},'spec':{'podCIDR':'10.1.0.0/24'}}");
    allowed("PATCH", "/api/v1/nodes/n1/status", "{'status':{'phase':'Running'}}");
    allowed("PATCH", PODS + "/mine/status", "{'status':{'phase':'Running'}}");
    for (String report :
        List.of("fairlead-announce-n1", "fairlead-policy-n1", "fairlead-proxy-n1")) {
      allowed(
          "POST",
          leases.replace("kube-node-lease", "kube-public"),
          "{'metadata':{'name':'" + report + "'},'spec':{'holderIdentity':'n1'}}");
    }
    made(
        PODS,
        "{'metadata':{'name':'vault'},'spec':{'nodeName':'n1','containers':[{'name':'c',"
            + "'image':'i'}],'volumes':[{'name':'t','projected':{'sources':[{"
            + "'serviceAccountToken':{'audience':'vault','path':'t'}}]}}]}}");
    allowed(
        "POST",
        "/api/v1/namespaces/default/serviceaccounts/default/token",
        "{'spec':{'audiences':['vault'],'boundObjectRef':{'apiVersion':'v1','kind':'Pod',"
            + "'name':'vault','uid':'"
            + server.get(PODS + "/vault").at("metadata", "uid")
            + "'}}}");
    allowed(
        "POST",
        "/api/v1/namespaces/default/serviceaccounts/default/token",
        withUids(
            "{'spec':{'expirationSeconds':3607,'boundObjectRef':{'apiVersion':'v1',"
                + "'kind':'Pod','name':'mine','uid':'UID:mine'}}}"));
    allowed(
        "POST",
        PODS,
        "{'metadata':{'name':'m','annotations':{'kubernetes.io/config.mirror':'x'}},"
            + "'spec':{'nodeName':'n1','containers':[{'name':'c','image':'i'}]}}");
    allowed("DELETE", PODS + "/mine", "");
  }

  @Test
  void aNodeWithoutANameHasNoPods() {
    made(
        PODS,
        "{'metadata':{'name':'waits'},'spec':{'containers':[{'name':'c','image':'i','envFrom':"
            + "[{'secretRef':{'name':'crown-jewels'}}]}]}}");
    for (String path :
        List.of("/api/v1/namespaces/default/secrets/crown-jewels", PODS + "/waits")) {
      Answer answer = server.send("GET", path).header("Authorization", "Bearer nameless").now();
      assertThat(answer.code()).as(answer.text()).isEqualTo(403);
    }
    assertThat(
            server
                .send("DELETE", PODS + "/waits")
                .header("Authorization", "Bearer nameless")
                .now()
                .code())
        .isEqualTo(403);
  }

  @Test
  void aComponentReportsForItself() {
    SoftAssertions softly = new SoftAssertions();
    for (List<String> row :
        List.of(
            List.of("the policy component announces", "policy", "fairlead-announce-n1", "n1"),
            List.of("it reports as a proxy", "policy", "fairlead-proxy-n1", "n1"),
            List.of("it takes a name of its own", "policy", "any", "n1"),
            List.of("the proxy reports policies", "proxy", "fairlead-policy-n1", "n1"),
            List.of("it speaks for another node", "proxy", "fairlead-announce-n1", "n2"))) {
      Answer answer =
          server
              .send("POST", "/apis/coordination.k8s.io/v1/namespaces/kube-public/leases")
              .header("Authorization", "Bearer " + row.get(1))
              .body(
                  "{'metadata':{'name':'"
                      + row.get(2)
                      + "'},'spec':{'holderIdentity':'"
                      + row.get(3)
                      + "'}}")
              .now();
      softly.assertThat(answer.code()).as(row.getFirst() + answer.text()).isEqualTo(403);
    }
    softly.assertAll();
  }

  @Test
  void thePolicyComponentChangesConditionsOfNodesOnly() {
    SoftAssertions softly = new SoftAssertions();
    Map<String, Integer> rows =
        Map.of(
            "{'status':{'conditions':[{'type':'P','status':'True'}]}}", 200,
            "{'status':{'addresses':[{'type':'InternalIP','address':'192.0.2.9'}]}}", 403,
            "{'status':{'daemonEndpoints':{'kubeletEndpoint':{'Port':9}}}}", 403,
            "{'metadata':{'annotations':{'fairlead.dev/x':'y'}}}", 403,
            "{'metadata':{'labels':{'a':'b'}}}", 403);
    rows.forEach(
        (body, code) -> {
          Answer answer =
              server
                  .send("PATCH", "/api/v1/nodes/n2/status")
                  .header("Authorization", "Bearer policy")
                  .header("Content-Type", "application/strategic-merge-patch+json")
                  .body(body)
                  .now();
          softly.assertThat(answer.code()).as(body + answer.text()).isEqualTo(code);
        });
    softly.assertAll();
  }

  @Test
  void aUserWhoMayGetANodesProxyOpensNoStream() throws Exception {
    made(
        "/apis/rbac.authorization.k8s.io/v1/clusterroles",
        "{'metadata':{'name':'looker'},'rules':[{'apiGroups':[''],'resources':['nodes/proxy'],"
            + "'verbs':['get']}]}");
    made(
        "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
        "{'metadata':{'name':'looker'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io',"
            + "'kind':'ClusterRole','name':'looker'},'subjects':[{'kind':'User',"
            + "'apiGroup':'rbac.authorization.k8s.io','name':'looker'}]}");
    String path = "/api/v1/nodes/n1/proxy/exec/default/mine/c?command=id&output=1";
    assertThat(server.send("GET", path).header("Authorization", "Bearer looker").now().code())
        .as("a plain request passes on, to a node that is not there")
        .isEqualTo(503);
    URI uri = URI.create(server.server.url());
    try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
      String head =
          "GET "
              + path
              + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer looker\r\n"
              + "Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
              + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      String line =
          new BufferedReader(
                  new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
              .readLine();
      assertThat(line).startsWith("HTTP/1.1 403 ");
    }
  }

  private void allowed(String method, String path, String body) {
    TestServer.Sending sending = as(method, path).body(body);
    if (method.equals("PATCH")) {
      sending.header("Content-Type", "application/merge-patch+json");
    }
    Answer answer = sending.now();
    assertThat(answer.code()).as(method + " " + path + answer.text()).isIn(200, 201);
  }

  private void made(String path, String body) {
    Answer answer = server.post(path, body);
    assertThat(answer.code()).as(answer.text()).isIn(201, 409);
  }

  /// A request of the node.
  private TestServer.Sending as(String method, String path) {
    return server.send(method, path).header("Authorization", "Bearer node");
  }
}
