package io.fairlead.server.resources.cluster;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.Subresource;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StatusView;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.table.Age;
import io.fairlead.server.resources.table.Cells;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A client's request for a certificate, which an administrator approves and a signer signs.
public final class CertificateSigningRequestResource extends StoredResource {
  private static final List<String> USAGES =
      List.of(
          "any",
          "cert sign",
          "client auth",
          "code signing",
          "content commitment",
          "crl sign",
          "data encipherment",
          "decipher only",
          "digital signature",
          "email protection",
          "encipher only",
          "ipsec end system",
          "ipsec tunnel",
          "ipsec user",
          "key agreement",
          "key encipherment",
          "microsoft sgc",
          "netscape sgc",
          "ocsp signing",
          "s/mime",
          "server auth",
          "signing",
          "timestamping");
  private static final int SHORTEST_SECONDS = 600;
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Cells.AGE,
          Column.text("SignerName", "Who shall sign it."),
          Column.text("Requestor", "Who asked for it."),
          Column.text("RequestedDuration", "How long it shall be valid."),
          Column.text("Condition", "What has become of it."));

  public CertificateSigningRequestResource() {
    super(
        ResourceDescriptorBuilder.cluster(
                "certificates.k8s.io", "certificatesigningrequests", "CertificateSigningRequest")
            .shortNames("csr")
            .build(),
        NameValidator.PATH_SEGMENT,
        Trait.STATUS,
        Trait.DELETE_SHOWS_OBJECT);
  }

  @Override
  public List<Subresource> subresources() {
    return List.of(ApprovalView.of(this), StatusView.of(this));
  }

  /// Who asks is what the server knows, not what the request says.
  @Override
  public void prepare(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    super.prepare(object, old, context);
    ObjectNode spec = Json.child(object, "spec");
    if (old != null) {
      object.set("spec", old.path("spec"));
      return;
    }
    spec.put("username", context.user().name());
    spec.remove("uid");
    if (!context.user().uid().isEmpty()) {
      spec.put("uid", context.user().uid());
    }
    spec.remove("groups");
    context.user().groups().forEach(group -> spec.withArray("groups").add(group));
    spec.remove("extra");
    context
        .user()
        .extra()
        .forEach(
            (key, values) ->
                values.forEach(value -> Json.child(spec, "extra").withArray(key).add(value)));
  }

  /// No request makes its sender an administrator.
  @Override
  public void admit(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    JsonNode spec = object.path("spec");
    boolean masters =
        old == null
            && spec.path("signerName").asString("").equals(SignerPolicy.CLIENTS)
            && context
                .signer()
                .read(ApprovalView.pem(spec))
                .filter(request -> request.organizations().contains("system:masters"))
                .isPresent();
    if (masters) {
      throw ApiException.forbidden(
          descriptor().group(),
          descriptor().plural(),
          object.path("metadata").path("name").asString(""),
          "use of kubernetes.io/kube-apiserver-client signer with system:masters group is not"
              + " allowed");
    }
  }

  @Override
  protected void initialStatus(ObjectNode object) {
    object.putObject("status");
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    JsonNode spec = object.path("spec");
    if (old != null) {
      return problems.list();
    }
    CertificateRequestCheck.check(spec.path("request"), problems);
    if (spec.path("usages").isEmpty()) {
      problems.required("spec.usages");
    }
    Set<String> seen = new HashSet<>();
    int index = 0;
    for (JsonNode usage : spec.path("usages")) {
      String path = "spec.usages[" + index++ + "]";
      problems.oneOf(path, usage, USAGES);
      problems.unique(path, usage.asString(""), seen);
    }
    String signer = spec.path("signerName").asString("");
    int slash = signer.indexOf('/');
    if (signer.isEmpty()) {
      problems.required("spec.signerName");
    } else if (slash <= 0 || slash == signer.length() - 1) {
      problems.invalid(
          "spec.signerName",
          signer,
          "must be a fully qualified domain and path of the form 'example.com/signer-name'");
    } else if (signer.equals("kubernetes.io/legacy-unknown")) {
      problems.invalid(
          "spec.signerName", signer, "the legacy signerName is not allowed via this API version");
    }
    JsonNode seconds = spec.path("expirationSeconds");
    if (seconds.isNumber() && seconds.asLong(0) < SHORTEST_SECONDS) {
      problems.invalid(
          "spec.expirationSeconds",
          seconds,
          "may not specify a duration less than 600 seconds (10 minutes)");
    }
    return problems.list();
  }

  @Override
  protected List<FieldError> validateStatus(
      ObjectNode object, ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    problems.addAll(conditionProblems(object, old, false));
    JsonNode before = old.path("status").path("certificate");
    if (!before.equals(object.path("status").path("certificate"))) {
      ApprovalView.checkSigner(object, "sign", context);
    }
    if (before.isString() && !before.equals(object.path("status").path("certificate"))) {
      problems.invalid(
          "status.certificate", object.path("status").path("certificate"), Problems.IMMUTABLE);
    }
    return problems.list();
  }

  private static Set<String> conditionTypes(JsonNode object) {
    Set<String> types = new HashSet<>();
    for (JsonNode condition : object.path("status").path("conditions")) {
      types.add(condition.path("type").asString(""));
    }
    return types;
  }

  /// What was decided about a request stays, and only the way of approval decides.
  ///
  /// @param approval whether the user was allowed to approve
  static List<FieldError> conditionProblems(ObjectNode object, JsonNode old, boolean approval) {
    Problems problems = new Problems();
    Set<String> before = conditionTypes(old);
    Set<String> now = conditionTypes(object);
    for (String type : List.of("Approved", "Denied", "Failed")) {
      if (before.contains(type) && !now.contains(type)) {
        problems.forbidden(
            "status.conditions", "updates may not remove a condition of type \"" + type + "\"");
      }
      if (!approval && !type.equals("Failed") && now.contains(type) && !before.contains(type)) {
        problems.forbidden(
            "status.conditions", "updates may not add a condition of type \"" + type + "\"");
      }
    }
    Set<String> types = new HashSet<>();
    int index = 0;
    for (JsonNode condition : object.path("status").path("conditions")) {
      String path = "status.conditions[" + index++ + "]";
      String type = condition.path("type").asString("");
      if (type.isEmpty()) {
        problems.required(path + ".type");
      }
      String status = condition.path("status").asString("");
      if (List.of("Approved", "Denied", "Failed").contains(type)) {
        problems.requiredOneOf(path + ".status", condition.path("status"), List.of("True"));
      } else if (status.isEmpty()) {
        problems.required(path + ".status");
      }
      problems.unique(path + ".type", type, types);
    }
    if (types.contains("Approved") && types.contains("Denied")) {
      problems.invalid(
          "status.conditions",
          object.path("status").path("conditions"),
          "Approved and Denied conditions are mutually exclusive");
    }
    return problems.list();
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    JsonNode spec = object.path("spec");
    JsonNode seconds = spec.path("expirationSeconds");
    return List.of(
        Cells.name(object),
        Cells.age(object, now),
        Cells.text(spec.path("signerName").asString("")),
        Cells.text(spec.path("username").asString("")),
        Cells.text(seconds.isNumber() ? Age.text(Duration.ofSeconds(seconds.asLong(0))) : "<none>"),
        Cells.text(condition(object.path("status"))));
  }

  private static String condition(JsonNode status) {
    String text = "Pending";
    for (JsonNode condition : status.path("conditions")) {
      String type = condition.path("type").asString("");
      text =
          switch (type) {
            case "Approved", "Denied" -> type;
            default -> text;
          };
    }
    for (JsonNode condition : status.path("conditions")) {
      text += condition.path("type").asString("").equals("Failed") ? ",Failed" : "";
    }
    return status.path("certificate").asString("").isEmpty() ? text : text + ",Issued";
  }

  @Override
  public Map<String, String> selectableFields(ObjectNode object) {
    return Map.of("spec.signerName", object.path("spec").path("signerName").asString(""));
  }
}
