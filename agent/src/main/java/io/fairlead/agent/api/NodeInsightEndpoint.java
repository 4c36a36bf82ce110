package io.fairlead.agent.api;

import io.fairlead.agent.api.NodeAccess.NodeCaller;
import io.fairlead.agent.api.NodeInsightHandler.InsightAnswer;
import io.fairlead.agent.api.NodeInsightHandler.InsightRequest;
import io.fairlead.agent.api.NodePodPlaces.PodPlace;
import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/// What the node's server answers below `/fairlead/v1/`, and who may ask.
///
/// Reading needs `get` on `nodes/insight` of this node, sending packets `create`. Those who may get
/// Services and list pods of one namespace may read that namespace's rules and flows. What is about
/// a pod needs `get` on the pod too, and packets from a pod what `kubectl exec` needs.
final class NodeInsightEndpoint {
  private static final String INSIGHT = "insight";
  private static final int LARGEST_BODY = 64 << 10;

  /// What can be answered for one namespace.
  private static final Set<String> NAMESPACED = Set.of("rules", "flows");

  private static final Set<String> PARAMETERS =
      Set.of(
          "namespace",
          "service",
          "pod",
          "raw",
          "session",
          "before",
          "servicesAfter",
          "slicesAfter",
          "wait",
          "since",
          "limit");

  private final NodeServerOptions options;
  private final NodePodPlaces pods;

  NodeInsightEndpoint(NodeServerOptions options, NodePodPlaces pods) {
    this.options = options;
    this.pods = pods;
  }

  /// @param path its segments, of which the first is `fairlead`
  void serve(NodeCall call, List<String> path) throws IOException, InterruptedException {
    NodeCaller caller =
        options.access().identify(call.certificates(), call.token(), call.impersonation());
    call.setAuthenticated();
    if (options.insight().isEmpty() || path.size() < 3 || !path.get(1).equals("v1")) {
      throw ApiException.noSuchResource();
    }
    String what = String.join("/", path.subList(2, path.size()));
    boolean post = call.method().equals("POST");
    if (!post && !call.method().equals("GET")) {
      throw ApiException.methodNotAllowed();
    }
    Map<String, String> query = query(call);
    // Before the body is looked at: those who may not send any are told so.
    admit(caller, post, what, query.getOrDefault("namespace", ""));
    ObjectNode body = post ? body(call) : Json.object();
    String uid = post ? Json.textOr(body, "", "from", "pod") : query.getOrDefault("pod", "");
    if (!uid.isEmpty()) {
      pod(caller, post, uid);
    }
    if (what.equals("env") && !post) {
      call.send(200, "application/json", Json.bytes(variables(uid)));
      return;
    }
    InsightAnswer answer =
        options
            .insight()
            .get()
            .answer(new InsightRequest(call.method(), what, query, body, caller.name()), pods);
    if (answer.code() == 429) {
      call.setHeader("Retry-After", "1");
    }
    call.send(answer.code(), "application/json", Json.bytes(answer.body()));
  }

  /// The agent's own record: no proxy is needed for it.
  private ObjectNode variables(String uid) {
    if (uid.isEmpty()) {
      throw ApiException.badRequest("name a pod: ?pod=UID");
    }
    ObjectNode document =
        Json.object()
            .put("apiVersion", "fairlead.dev/v1")
            .put("kind", "PodVariables")
            .put("node", options.node())
            .put("pod", uid);
    document.set("containers", pods.serviceVariables(uid));
    return document;
  }

  private void admit(NodeCaller caller, boolean post, String what, String namespace) {
    String verb = post ? "create" : "get";
    boolean narrowed =
        !post
            && !namespace.isEmpty()
            && NAMESPACED.contains(what)
            && !caller.may(verb, "nodes", INSIGHT, "", options.node())
            && caller.may("get", "services", "", namespace, "")
            && caller.may("list", "pods", "", namespace, "");
    if (!narrowed) {
      caller.check(verb, "nodes", INSIGHT, "", options.node());
    }
  }

  private void pod(NodeCaller caller, boolean post, String uid) {
    PodPlace place = pods.place(uid);
    caller.check("get", "pods", "", place.pod().namespace(), place.pod().name());
    if (post) {
      caller.check("create", "pods", "exec", place.pod().namespace(), place.pod().name());
    }
  }

  private static Map<String, String> query(NodeCall call) {
    Map<String, String> query = new HashMap<>();
    for (String name : PARAMETERS) {
      if (call.has(name)) {
        query.put(name, call.text(name));
      }
    }
    return query;
  }

  private static ObjectNode body(NodeCall call) throws IOException {
    byte[] bytes = call.body(LARGEST_BODY);
    try {
      if (Json.parse(bytes) instanceof ObjectNode body) {
        return body;
      }
    } catch (JacksonException _) {
      // Told as any other body that is no object.
    }
    throw ApiException.badRequest("the body is no JSON object");
  }
}
