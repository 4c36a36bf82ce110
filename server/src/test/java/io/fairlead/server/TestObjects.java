package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.TestServer.Answer;

/// Makes and patches objects of the kinds that several tables of vectors use.
final class TestObjects {
  static final String PODS = "/api/v1/namespaces/default/pods";
  static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";

  private TestObjects() {}

  /// Makes a pod of one container; more of its spec begins with a comma.
  static void pod(TestServer server, String name, String spec) {
    Answer answer =
        server.post(
            PODS,
            "{'metadata':{'name':'"
                + name
                + "'},'spec':{'containers':[{'name':'a','image':'x:1'}]"
                + spec
                + "}}");
    assertThat(answer.code()).as(answer.text()).isEqualTo(201);
  }

  static Answer deployment(TestServer server, String name, String selector, String label) {
    return server.post(
        DEPLOYMENTS,
        "{'metadata':{'name':'"
            + name
            + "'},'spec':{'selector':{'matchLabels':{'app':'"
            + selector
            + "'}},'template':{'metadata':{'labels':{'app':'"
            + label
            + "'}},'spec':{'containers':[{'name':'a','image':'old:1'},{'name':'b','image':'old:2'}]}}}}");
  }

  static Answer patch(TestServer server, String type, String path, String body) {
    return server.send("PATCH", path).header("Content-Type", type).body(body).now();
  }
}
