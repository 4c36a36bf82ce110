package io.fairlead.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/// What the page may change: tried first, made as the session's user, and refused for all others.
class UiChangesTest extends UiServerFixture {
  private static final String MAP = "PATCH /api/v1/namespaces/kube-system/configmaps/kube-proxy";
  private static final String POD = "DELETE /api/v1/namespaces/kube-system/pods/kube-proxy-";
  private static final String MODE = "{\"kind\":\"mode\",\"mode\":\"iptables\",\"dryRun\":false}";
  private static final String REPAIR = "{\"kind\":\"repair\",\"node\":\"a\",\"dryRun\":false}";
  private static final String PROXIES =
      """
      kind: ConfigMap
      metadata: {name: kube-proxy, namespace: kube-system}
      data:
        config.conf: "kind: KubeProxyConfiguration\\nmode: nftables\\nclusterCIDR: 10.0.0.0/8\\n"
      ---
      kind: Pod
      metadata: {name: kube-proxy-a, namespace: kube-system, labels: {k8s-app: kube-proxy}}
      spec: {nodeName: a, containers: [{name: p, image: p}]}
      ---
      kind: Pod
      metadata: {name: kube-proxy-b, namespace: kube-system, labels: {k8s-app: kube-proxy}}
      spec: {nodeName: b, containers: [{name: p, image: p}]}
      ---
      kind: Deployment
      metadata: {name: web, namespace: default}
      spec: {replicas: 2}
      """;

  private Visitor writer;

  @BeforeEach
  void writes() throws IOException {
    host.create(PROXIES);
    server.close();
    server = server(true);
    page = new PageClient(server.port());
    writer = visitor();
  }

  private PageClient.Answer change(String body) throws IOException {
    return page.post(
        "/ui/api/v1/changes", body, "Cookie", writer.cookie(), "X-Fairlead-Token", writer.token());
  }

  private String configuration() {
    ObjectNode map =
        host.as(ADMIN).get(ResourceType.CONFIG_MAPS, new ObjectKey("kube-system", "kube-proxy"));
    return Json.textOr(map, "", "data", "config.conf");
  }

  @Test
  void aModeIsWrittenAndAllProxiesFollow() throws IOException {
    PageClient.Answer answer = change(MODE);
    assertThat(answer.code()).as(answer.text()).isEqualTo(200);
    assertThat(Json.textOr(answer.json(), "", "was")).isEqualTo("nftables");
    assertThat(host.wrote).containsExactly(POD + "a dry", POD + "b dry", MAP, POD + "a", POD + "b");
    assertThat(configuration()).contains("mode: iptables", "clusterCIDR: 10.0.0.0/8");
  }

  @Test
  void aRepairRestartsTheProxyOfThatNodeAlone() throws IOException {
    assertThat(change(REPAIR).code()).isEqualTo(200);
    assertThat(host.wrote).containsExactly(POD + "a");
    assertThat(change(REPAIR.replace("\"a\"", "\"c\"")).code()).isEqualTo(404);
  }

  @Test
  void aRestartIsWhatKubectlWrites() throws IOException {
    String body =
        "{\"kind\":\"restart\",\"namespace\":\"default\",\"name\":\"web\",\"dryRun\":false}";
    PageClient.Answer answer = change(body);
    assertThat(answer.code()).as(answer.text()).isEqualTo(200);
    assertThat(
            Json.textOr(
                answer.json().path("after").path("spec").path("template").path("metadata"),
                "",
                "annotations",
                "kubectl.kubernetes.io/restartedAt"))
        .isEqualTo("2026-01-01T00:00:00Z");
  }

  @ParameterizedTest
  @ValueSource(strings = {MODE, REPAIR})
  void whatDoesNotSayOtherwiseIsTriedOnly(String body) throws IOException {
    assertThat(change(body.replace(",\"dryRun\":false", "")).code()).isEqualTo(200);
    assertThat(host.wrote).isNotEmpty().allMatch(each -> each.endsWith(" dry"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"patch", "delete"})
  void whoLacksARightChangesNothing(String verb) throws IOException {
    host.allowed = asked -> !Json.textOr(asked, "", "verb").equals(verb);
    assertThat(change(MODE).code()).isEqualTo(403);
    assertThat(configuration()).contains("mode: nftables");
    assertThat(host.wrote).allMatch(each -> each.endsWith(" dry"));
    // Rights are asked again after half a minute.
    now.updateAndGet(at -> at.plusSeconds(31));
    ObjectNode session = page.get("/ui/api/v1/session", "Cookie", writer.cookie()).json();
    assertThat(session.path("rights").path("mode").asBoolean()).isFalse();
    assertThat(session.path("rights").path("repair").asBoolean()).isEqualTo(verb.equals("patch"));
  }

  @ParameterizedTest
  @ValueSource(strings = {MODE, REPAIR})
  void anotherSiteChangesNothing(String body) throws IOException {
    for (List<String> forged :
        List.of(
            List.of("Cookie", writer.cookie()),
            List.of("Cookie", writer.cookie(), "X-Fairlead-Token", "guess"),
            List.of(
                "Cookie",
                writer.cookie(),
                "X-Fairlead-Token",
                writer.token(),
                "Origin",
                "http://evil.example"),
            List.of(
                "Cookie",
                writer.cookie(),
                "X-Fairlead-Token",
                writer.token(),
                "Content-Type",
                "text/plain"))) {
      PageClient.Answer answer =
          page.post("/ui/api/v1/changes", body, forged.toArray(String[]::new));
      assertThat(Json.textOr(answer.json(), "", "reason")).isEqualTo("CrossSite");
    }
    assertThat(page.post("/ui/api/v1/changes", body).code()).isEqualTo(401);
    assertThat(page.get("/ui/api/v1/changes", "Cookie", writer.cookie()).code()).isEqualTo(404);
    assertThat(host.wrote).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"kind\":\"mode\",\"mode\":\"nftables\\nclusterCIDR: x\",\"dryRun\":false}",
        "{\"kind\":\"mode\",\"mode\":\"\",\"dryRun\":false}",
        "{\"kind\":\"mode\",\"dryRun\":false}",
        "{\"kind\":\"repair\",\"node\":\"\",\"dryRun\":false}",
        "{\"kind\":\"repair\",\"node\":\"../a\",\"dryRun\":false}",
        "{\"kind\":\"delete\",\"namespace\":\"default\",\"name\":\"web\",\"dryRun\":false}"
      })
  void whatIsNoChangeIsRefused(String body) throws IOException {
    assertThat(change(body).code()).isEqualTo(400);
    assertThat(host.wrote).isEmpty();
  }

  @Test
  void withoutTheFlagNothingIsOffered() throws IOException {
    server.close();
    server = server(false);
    page = new PageClient(server.port());
    writer = visitor();
    ObjectNode session = page.get("/ui/api/v1/session", "Cookie", writer.cookie()).json();
    assertThat(session.path("rights").path("mode").asBoolean()).isFalse();
    assertThat(session.path("rights").path("repair").asBoolean()).isFalse();
    for (String body : List.of(MODE, REPAIR)) {
      assertThat(change(body).code()).isEqualTo(404);
    }
    assertThat(host.wrote).isEmpty();
  }
}
