package io.fairlead.server.rest;

import io.fairlead.api.codec.DecodedBody;
import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.schema.ZeroValues;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.admission.policy.MutatingPolicyAdmission;
import io.fairlead.server.admission.policy.PolicyAdmission;
import io.fairlead.server.admission.webhook.AdmissionAttributes;
import io.fairlead.server.admission.webhook.AdmissionAttributes.Kind;
import io.fairlead.server.admission.webhook.AdmissionAttributes.Operation;
import io.fairlead.server.admission.webhook.Reinvocation;
import io.fairlead.server.admission.webhook.WebhookAdmission;
import io.fairlead.server.resource.Resource;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The steps of a request in which programs of the administrator change and judge it. What the
/// server does by itself is not theirs to judge: a webhook that does not answer would keep the
/// server from starting. Without any such program nothing is computed here.
final class AdmissionSteps {
  /// What one program may take when the request itself has no end.
  private static final Duration MOST = Duration.ofSeconds(30);

  private final WebhookAdmission webhooks;
  private final MutatingPolicyAdmission mutatingPolicies;
  private final PolicyAdmission policies;

  AdmissionSteps(RestDependencies core) {
    this.webhooks = core.webhooks();
    this.mutatingPolicies = core.mutatingPolicies();
    this.policies = core.policies();
  }

  /// Whether no program is asked about this request.
  boolean isIdle(ResourceRequest call) {
    return call.isInternal() || (!isMutating() && !isJudging());
  }

  private boolean isMutating() {
    return webhooks.isMutating() || mutatingPolicies.isActive();
  }

  private boolean isJudging() {
    return policies.isActive() || webhooks.isValidating();
  }

  private void judge(ResourceRequest call, AdmissionAttributes asked) {
    policies.validate(asked);
    webhooks.validate(asked, left(call));
  }

  /// Runs the plugins of the server, then the policies and the webhooks that change objects, then
  /// perhaps all once more.
  ///
  /// @param expected what the object is
  /// @param plugins run on the object and change it
  /// @return the object, or another one instead
  ObjectNode mutate(
      ResourceRequest call,
      Operation operation,
      BodyDecoder.Expected expected,
      ObjectNode object,
      @Nullable ObjectNode old,
      Consumer<ObjectNode> plugins) {
    plugins.accept(object);
    if (call.isInternal() || !isMutating()) {
      return object;
    }
    Rounds rounds = new Rounds(new Reinvocation(), new Reinvocation());
    ObjectNode first = ask(call, operation, expected, object, old, rounds);
    if (!rounds.policies().isNeeded() && !rounds.webhooks().isNeeded()) {
      return first;
    }
    rounds.policies().begin();
    rounds.webhooks().begin();
    plugins.accept(first);
    return ask(call, operation, expected, first, old, rounds);
  }

  /// Which of both see the object again.
  private record Rounds(Reinvocation policies, Reinvocation webhooks) {}

  private ObjectNode ask(
      ResourceRequest call,
      Operation operation,
      BodyDecoder.Expected expected,
      ObjectNode object,
      @Nullable ObjectNode old,
      Rounds rounds) {
    ObjectNode shown = complete(object, expected);
    UnaryOperator<ObjectNode> decode = patched -> decoded(call, expected, patched, object);
    AdmissionAttributes asked =
        attributes(call, operation, expected, shown, old, () -> options(call, operation));
    if (mutatingPolicies.isActive()) {
      UnaryOperator<ObjectNode> whole = patched -> complete(decode.apply(patched), expected);
      asked =
          asked.with(
              mutatingPolicies.mutate(asked, shown, expected.schema(), rounds.policies(), whole));
    }
    ObjectNode result = webhooks.mutate(asked, rounds.webhooks(), decode, left(call));
    return result == null || result.equals(shown) ? object : result;
  }

  /// Lets the programs that judge have their say about an object that is complete.
  void validate(
      ResourceRequest call,
      Operation operation,
      BodyDecoder.Expected expected,
      ObjectNode object,
      @Nullable ObjectNode old) {
    if (call.isInternal() || !isJudging()) {
      return;
    }
    judge(
        call,
        attributes(
            call,
            operation,
            expected,
            complete(object, expected),
            old,
            () -> options(call, operation)));
  }

  /// Has all programs judge a deletion.
  void delete(ResourceRequest call, ObjectNode old, DeleteRequestOptions options) {
    // An eviction and the like were judged as what they are.
    if (isIdle(call) || !call.info().subresource().isEmpty()) {
      return;
    }
    AdmissionAttributes deletion =
        attributes(
            call,
            Operation.DELETE,
            BodyDecoder.Expected.of(call.resource()),
            null,
            old,
            options::toJson);
    ObjectNode _ = webhooks.mutate(deletion, new Reinvocation(), same -> same, left(call));
    judge(call, deletion);
  }

  /// Has all programs judge a connection to what runs behind an object. They cannot change it.
  ///
  /// @param options what the connection shall be, `PodExecOptions`
  void connect(ResourceRequest call, ObjectNode options) {
    if (isIdle(call)) {
      return;
    }
    AdmissionAttributes connection =
        new AdmissionAttributes(
            Operation.CONNECT,
            call.resource(),
            call.info().subresource(),
            new Kind("", "v1", Json.textOr(options, "", "kind")),
            call.namespace(),
            call.name(),
            options,
            null,
            null,
            call);
    ObjectNode _ = webhooks.mutate(connection, new Reinvocation(), same -> same, left(call));
    judge(call, connection);
  }

  private static AdmissionAttributes attributes(
      ResourceRequest call,
      Operation operation,
      BodyDecoder.Expected expected,
      @Nullable ObjectNode object,
      @Nullable ObjectNode old,
      Supplier<ObjectNode> options) {
    String name = call.verb().equals("deletecollection") ? "" : call.name();
    if (name.isEmpty() && object != null) {
      name = ObjectMetadata.name(object);
    }
    boolean namespace =
        call.descriptor().group().isEmpty() && call.descriptor().plural().equals("namespaces");
    return new AdmissionAttributes(
        operation,
        call.resource(),
        call.info().subresource(),
        new Kind(expected.group(), expected.version(), expected.kind()),
        namespace ? name : call.namespace(),
        name,
        object,
        old,
        options.get(),
        call);
  }

  private static ObjectNode complete(ObjectNode object, BodyDecoder.Expected expected) {
    ObjectNode shown = object.deepCopy();
    ZeroValues.complete(shown, expected.schema());
    return shown;
  }

  /// A patched object, held against its schema. Who owns its fields is not for webhooks to say.
  private static ObjectNode decoded(
      ResourceRequest call, BodyDecoder.Expected expected, ObjectNode patched, ObjectNode before) {
    ObjectNode object;
    try {
      object = expected.conformed(new DecodedBody(patched, List.of())).object();
    } catch (DecodeException e) {
      throw ApiException.badRequest(BodyDecoder.text(e));
    }
    object.put("kind", expected.kind()).put("apiVersion", expected.apiVersion());
    Resource resource = call.resource();
    boolean whole = expected.schemaName().equals(resource.descriptor().schemaName());
    if (whole) {
      resource.dropNulls(object);
    } else {
      Json.dropNulls(object);
    }
    JsonNode owners = before.path("metadata").get("managedFields");
    if (owners != null) {
      ObjectMetadata.of(object).set("managedFields", owners.deepCopy());
    } else {
      ObjectMetadata.of(object).remove("managedFields");
    }
    if (whole) {
      resource.applyDefaults(object);
    }
    return object;
  }

  private static Duration left(ResourceRequest call) {
    return call.deadline().left(MOST);
  }

  private static ObjectNode options(ResourceRequest call, Operation operation) {
    ObjectNode options =
        WebhookAdmission.options(operation == Operation.CREATE ? "CreateOptions" : "UpdateOptions");
    if (call.dryRun()) {
      options.putArray("dryRun").add("All");
    }
    for (String given : List.of("fieldManager", "fieldValidation")) {
      String value = call.exchange().query().text(given);
      if (!value.isEmpty()) {
        options.put(given, value);
      }
    }
    return options;
  }
}
