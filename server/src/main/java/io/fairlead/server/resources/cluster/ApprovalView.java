package io.fairlead.server.resources.cluster;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.auth.Authorizer;
import io.fairlead.server.pki.CertificateSigner;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.PartialUpdateView;
import io.fairlead.server.resources.kind.StatusView;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `certificatesigningrequests/approval`: approves or denies a request. Who approves needs the
/// permission to `approve` for the request's signer, beside that for this path.
///
/// How it works: the server has the cluster's CA, so an approved request to one of the signers of
/// Kubernetes is signed in the same write. One that the signer does not sign gets the condition
/// Failed. Requests to other signers wait for those.
final class ApprovalView {
  private ApprovalView() {}

  static PartialUpdateView of(CertificateSigningRequestResource resource) {
    return new PartialUpdateView(
        "approval",
        resource.descriptor(),
        PartialUpdateView.READ_AND_WRITE,
        ApprovalView::write,
        (parent, old, _) -> CertificateSigningRequestResource.conditionProblems(parent, old, true));
  }

  private static void write(ObjectNode parent, ObjectNode changed, RequestContext context) {
    checkSigner(parent, "approve", context);
    StatusView.takeMetadata(parent, changed);
    ObjectNode status = Json.child(parent, "status");
    JsonNode conditions = changed.path("status").path("conditions");
    if (conditions.isEmpty()) {
      status.remove("conditions");
    } else {
      status.set("conditions", conditions);
    }
    for (JsonNode condition : status.path("conditions")) {
      if (condition instanceof ObjectNode one) {
        String now = context.clock().instant().truncatedTo(ChronoUnit.SECONDS).toString();
        for (String time : List.of("lastUpdateTime", "lastTransitionTime")) {
          if (one.path(time).asString("").isEmpty()) {
            one.put(time, now);
          }
        }
      }
    }
    if (has(status, "Approved") && !has(status, "Failed") && !status.has("certificate")) {
      sign(parent.path("spec"), status, context);
    }
  }

  /// Throws 403 unless the user may do that for the request's signer or for all of its domain.
  static void checkSigner(ObjectNode request, String verb, RequestContext context) {
    String signer = request.path("spec").path("signerName").asString("");
    int slash = signer.indexOf('/');
    String domain = slash < 0 ? signer : signer.substring(0, slash) + "/*";
    for (String name : List.of(signer, domain)) {
      Authorizer.Attributes attributes =
          new Authorizer.Attributes(
              context.user(), verb, "certificates.k8s.io", "*", "signers", "", "", name, "", "");
      if (context.authorizer().authorize(attributes).allowed()) {
        return;
      }
    }
    throw ApiException.forbidden(
        "certificates.k8s.io",
        "certificatesigningrequests",
        request.path("metadata").path("name").asString(""),
        "user not permitted to " + verb + " requests with signerName \"" + signer + "\"");
  }

  private static boolean has(JsonNode status, String type) {
    for (JsonNode condition : status.path("conditions")) {
      if (condition.path("type").asString("").equals(type)) {
        return true;
      }
    }
    return false;
  }

  private static void sign(JsonNode spec, ObjectNode status, RequestContext context) {
    SignerPolicy policy = SignerPolicy.SIGNERS.get(spec.path("signerName").asString(""));
    String pem = pem(spec);
    Optional<CertificateSigner.Request> request = context.signer().read(pem);
    if (policy == null || request.isEmpty()) {
      return;
    }
    Optional<String> refusal = policy.refusal(request.get(), spec);
    if (refusal.isPresent()) {
      String now = context.clock().instant().truncatedTo(ChronoUnit.SECONDS).toString();
      status
          .withArray("conditions")
          .addObject()
          .put("type", "Failed")
          .put("status", "True")
          .put("reason", "SignerValidationFailure")
          .put("message", refusal.get())
          .put("lastUpdateTime", now)
          .put("lastTransitionTime", now);
      return;
    }
    context
        .signer()
        .sign(pem, policy.server(), SignerPolicy.validity(spec))
        .ifPresent(
            signed ->
                status.put(
                    "certificate",
                    Base64.getEncoder()
                        .encodeToString(signed.getBytes(StandardCharsets.US_ASCII))));
  }

  /// The request as text; empty when it is no base64.
  static String pem(JsonNode spec) {
    try {
      return new String(
          Base64.getDecoder().decode(spec.path("request").asString("")), StandardCharsets.US_ASCII);
    } catch (IllegalArgumentException _) {
      return "";
    }
  }
}
