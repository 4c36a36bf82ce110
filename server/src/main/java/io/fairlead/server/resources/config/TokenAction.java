package io.fairlead.server.resources.config;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.auth.Authorizer.Attributes;
import io.fairlead.server.auth.NodeUser;
import io.fairlead.server.auth.TokenIssuer;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.Subresource;
import io.fairlead.server.resources.kind.ActionSubresource;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.table.Cells;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `serviceaccounts/token`: issues a token for the account.
final class TokenAction extends ActionSubresource {
  private static final String GROUP = "authentication.k8s.io";
  private static final long DEFAULT_SECONDS = 3600;
  private static final long MIN_SECONDS = 600;
  private static final long MAX_SECONDS = 1L << 32;
  private static final long NODE_MAX_SECONDS = 24 * 3600;
  private static final String MIRROR = "kubernetes.io/config.mirror";

  TokenAction() {
    super("token", GROUP, "TokenRequest");
  }

  @Override
  public Subresource.Answer post(
      String name, ObjectNode body, RequestContext context, Subresource.ObjectWriter writer) {
    ObjectNode account = writer.read(name);
    if (account == null) {
      throw ApiException.notFound("", "serviceaccounts", name);
    }
    checkMetadata(name, body, context);
    ObjectNode spec = Json.child(body, "spec");
    if (!spec.has("expirationSeconds")) {
      spec.put("expirationSeconds", DEFAULT_SECONDS);
    }
    checkSeconds(spec);
    checkNode(name, spec, context);
    String uid = account.path("metadata").path("uid").asString("");
    TokenIssuer.Token token =
        context
            .tokens()
            .issue(
                bound(
                    spec.path("boundObjectRef"),
                    new TokenIssuer.Request(
                        context.namespace(),
                        name,
                        uid,
                        Cells.strings(spec.path("audiences")),
                        spec.path("expirationSeconds").asLong(0),
                        null,
                        "",
                        ""),
                    context));
    return new Subresource.Answer(201, answer(name, uid, spec, token, context));
  }

  private static void checkMetadata(String name, ObjectNode body, RequestContext context) {
    JsonNode metadata = body.path("metadata");
    String given = metadata.path("name").asString(name);
    if (!given.equals(name)) {
      throw ApiException.badRequest(
          "name in URL does not match name in TokenRequest object: " + name + ", " + given);
    }
    String namespace = metadata.path("namespace").asString(context.namespace());
    if (!namespace.equals(context.namespace())) {
      throw ApiException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
  }

  private static void checkSeconds(ObjectNode spec) {
    Problems problems = new Problems();
    JsonNode seconds = spec.path("expirationSeconds");
    if (seconds.asLong(0) < MIN_SECONDS) {
      problems.invalid(
          "spec.expirationSeconds", seconds, "may not specify a duration less than 10 minutes");
    } else if (seconds.asLong(0) > MAX_SECONDS) {
      problems.invalid(
          "spec.expirationSeconds", seconds, "may not specify a duration larger than 2^32 seconds");
    }
    throwIfAny(problems.list());
  }

  /// A node gets tokens for the pods that run there: each bound to its pod, for this server or for
  /// an audience that the pod names, and for no longer than a day or than the pod itself asks for.
  private static void checkNode(String account, ObjectNode spec, RequestContext context) {
    String node = NodeUser.of(context.user());
    if (node == null) {
      return;
    }
    JsonNode reference = spec.path("boundObjectRef");
    String name = Json.textOr(reference, "", "name");
    String uid = Json.textOr(reference, "", "uid");
    if (!Json.textOr(reference, "", "kind").equals("Pod")
        || !Json.textOr(reference, "", "apiVersion").equals("v1")
        || name.isEmpty()) {
      throw refused(account, "node requested token not bound to a pod");
    }
    if (uid.isEmpty()) {
      throw refused(account, "node requested token with a pod binding without a uid");
    }
    ObjectNode pod = context.reader().get("", "pods", context.namespace(), name);
    if (pod == null) {
      throw ApiException.notFound("", "pods", name);
    }
    if (!Json.textOr(pod, "", "spec", "nodeName").equals(node)) {
      throw refused(account, "node requested token bound to a pod scheduled on a different node");
    }
    if (pod.path("metadata").path("annotations").has(MIRROR)) {
      throw refused(account, "node requested token bound to a mirror pod");
    }
    if (spec.path("expirationSeconds").asLong(0) > longest(pod)) {
      throw refused(
          account, "node requested token for longer than a day and than its pod asks for");
    }
    for (String audience : Cells.strings(spec.path("audiences"))) {
      if (!isFor(audience, account, pod, context)) {
        throw refused(
            account,
            "audience \""
                + audience
                + "\" not found in pod spec volume, "
                + context.user().name()
                + " is not authorized to request tokens for this audience");
      }
    }
  }

  /// Whether a token of that pod may be for that audience.
  private static boolean isFor(
      String audience, String account, ObjectNode pod, RequestContext context) {
    return context.tokens().audiences().contains(audience)
        || tokens(pod).anyMatch(one -> Json.textOr(one, "", "audience").equals(audience))
        || context
            .authorizer()
            .authorize(
                new Attributes(
                    context.user(),
                    "request-serviceaccounts-token-audience",
                    "",
                    "v1",
                    audience,
                    "",
                    context.namespace(),
                    account,
                    ""))
            .allowed();
  }

  private static long longest(ObjectNode pod) {
    return tokens(pod)
        .mapToLong(one -> one.path("expirationSeconds").asLong(0))
        .reduce(NODE_MAX_SECONDS, Math::max);
  }

  /// The tokens that a pod's volumes hold.
  private static Stream<JsonNode> tokens(ObjectNode pod) {
    return pod.path("spec")
        .path("volumes")
        .valueStream()
        .flatMap(volume -> volume.path("projected").path("sources").valueStream())
        .map(source -> source.path("serviceAccountToken"))
        .filter(JsonNode::isObject);
  }

  private static ApiException refused(String account, String why) {
    return ApiException.forbidden("", "serviceaccounts", account, why);
  }

  /// The same request bound to the object that the client named, which must exist.
  private static TokenIssuer.Request bound(
      JsonNode reference, TokenIssuer.Request request, RequestContext context) {
    if (!reference.isObject() || reference.path("kind").asString("").isEmpty()) {
      return request;
    }
    String kind = reference.path("kind").asString("");
    String plural =
        switch (kind) {
          case "Pod" -> "pods";
          case "Secret" -> "secrets";
          case "Node" -> "nodes";
          default ->
              throw ApiException.badRequest(
                  "cannot bind token for serviceaccount \""
                      + request.account()
                      + "\" to object of kind \""
                      + kind
                      + "\"");
        };
    String name = reference.path("name").asString("");
    String namespace = kind.equals("Node") ? "" : request.namespace();
    ObjectNode found = context.reader().get("", plural, namespace, name);
    if (found == null) {
      throw ApiException.notFound("", plural, name);
    }
    String uid = found.path("metadata").path("uid").asString("");
    String wanted = reference.path("uid").asString("");
    if (!wanted.isEmpty() && !wanted.equals(uid)) {
      throw ApiException.conflict(
          "",
          plural,
          name,
          "the UID in the bound object reference ("
              + wanted
              + ") does not match the UID in record."
              + " The object might have been deleted and then recreated");
    }
    checkPodAccount(kind, found, request);
    return new TokenIssuer.Request(
        request.namespace(),
        request.account(),
        request.accountUid(),
        request.audiences(),
        request.seconds(),
        kind,
        name,
        uid);
  }

  private static void checkPodAccount(
      @Nullable String kind, ObjectNode pod, TokenIssuer.Request request) {
    String runsAs = pod.path("spec").path("serviceAccountName").asString("");
    if ("Pod".equals(kind) && !runsAs.equals(request.account())) {
      throw ApiException.badRequest(
          "cannot bind token for serviceaccount \""
              + request.account()
              + "\" to pod running with different serviceaccount name.");
    }
  }

  private static ObjectNode answer(
      String name, String uid, ObjectNode spec, TokenIssuer.Token token, RequestContext context) {
    ObjectNode answer = Json.object();
    answer.put("kind", "TokenRequest").put("apiVersion", GROUP + "/v1");
    answer
        .putObject("metadata")
        .put("name", name)
        .put("namespace", context.namespace())
        .put("uid", uid)
        .put(
            "creationTimestamp",
            context.clock().instant().truncatedTo(ChronoUnit.SECONDS).toString());
    ObjectNode shown = answer.putObject("spec");
    shown.setAll(spec);
    var audiences = shown.putArray("audiences");
    token.audiences().forEach(audiences::add);
    answer
        .putObject("status")
        .put("token", token.text())
        .put("expirationTimestamp", token.expires().truncatedTo(ChronoUnit.SECONDS).toString());
    return answer;
  }

  private static void throwIfAny(List<FieldError> errors) {
    if (!errors.isEmpty()) {
      throw ApiException.invalid(GROUP, "TokenRequest", "", errors);
    }
  }
}
