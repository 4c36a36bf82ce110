package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.TestServer.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What a user with few permissions tries to get beyond them.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PermissionAttackTest {
  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/";
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

  private TestServer server;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    Path tokens =
        Files.writeString(
            directory.resolve("tokens"),
            "admin,root,1,system:masters\nnamed,named,2\nwriter,writer,3\n");
    server = TestServer.startSecured(directory.resolve("pki"), tokens, InstantSource.system());
    role("named", "'resourceNames':['mine'],'verbs':['create','get','list','watch']");
    role("writer", "'verbs':['get','update','patch']");
  }

  private void role(String user, String rule) {
    made(
        RBAC + "roles",
        "{'metadata':{'name':'"
            + user
            + "'},'rules':[{'apiGroups':['','coordination.k8s.io'],"
            + "'resources':['configmaps','leases'],"
            + rule
            + "}]}");
    made(
        RBAC + "rolebindings",
        "{'metadata':{'name':'"
            + user
            + "'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'Role','name':'"
            + user
            + "'},'subjects':[{'kind':'User','apiGroup':'rbac.authorization.k8s.io','name':'"
            + user
            + "'}]}");
  }

  private void made(String path, String body) {
    Answer answer = server.post(path, body);
    assertThat(answer.code()).as(answer.text()).isEqualTo(201);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void aFieldSelectorNamesNothingForACreate() {
    Answer answer =
        as("named", "POST", CONFIG_MAPS + "?fieldSelector=metadata.name%3Dmine")
            .body("{'metadata':{'name':'other'}}")
            .now();
    assertThat(answer.code()).as(answer.text()).isEqualTo(403);
    assertThat(as("named", "GET", CONFIG_MAPS + "?fieldSelector=metadata.name%3Dmine").now().code())
        .as("a list of one name is still a question about that name")
        .isEqualTo(200);
  }

  record Creation(String name, String method, String path, String type, String body) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Creation> creations() {
    return Stream.of(
        new Creation(
            "server-side apply",
            "PATCH",
            CONFIG_MAPS + "/new?fieldManager=m",
            "application/apply-patch+yaml",
            "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'new'}}"),
        new Creation(
            "PUT",
            "PUT",
            LEASES + "/new",
            "application/json",
            "{'apiVersion':'coordination.k8s.io/v1','kind':'Lease','metadata':{'name':'new'}}"));
  }

  @ParameterizedTest
  @MethodSource("creations")
  void nothingComesIntoBeingWithoutTheVerbCreate(Creation creation) {
    Answer refused = send("writer", creation);
    assertThat(refused.code()).as(refused.text()).isEqualTo(403);
    assertThat(refused.message()).contains("User \"writer\" cannot create resource");
    String object = creation.path().replaceAll("\\?.*", "");
    assertThat(server.get(object).code()).isEqualTo(404);
    assertThat(send("admin", creation).code()).isEqualTo(201);
    assertThat(send("writer", creation).code()).as("an update").isNotEqualTo(403);
  }

  private Answer send(String user, Creation creation) {
    return as(user, creation.method(), creation.path())
        .header("Content-Type", creation.type())
        .body(creation.body())
        .now();
  }

  private TestServer.Sending as(String user, String method, String path) {
    return server.send(method, path).header("Authorization", "Bearer " + user);
  }
}
