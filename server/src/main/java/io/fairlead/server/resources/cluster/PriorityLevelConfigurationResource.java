package io.fairlead.server.resources.cluster;

import io.fairlead.api.json.Json;
import io.fairlead.api.schema.GoForm;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.Defaults;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.table.Cells;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// How many requests of one sort are served at once, and how the others wait.
public final class PriorityLevelConfigurationResource extends StoredResource {
  private static final int HASH_BITS = 60;
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Type", "Whether it is bounded at all."),
          Column.text("NominalConcurrencyShares", "Its part of what is served at once."),
          Column.text("Queues", "How many queues it has."),
          Column.text("HandSize", "How many of them a flow may use."),
          Column.text("QueueLengthLimit", "How many wait in one."),
          Cells.AGE);

  public PriorityLevelConfigurationResource() {
    super(
        ResourceDescriptorBuilder.cluster(
                "flowcontrol.apiserver.k8s.io",
                "prioritylevelconfigurations",
                "PriorityLevelConfiguration")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.STATUS,
        Trait.GENERATIONS,
        Trait.DELETE_SHOWS_OBJECT);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    ObjectNode spec = Json.child(object, "spec");
    if (spec.get("exempt") instanceof ObjectNode exempt) {
      Defaults.missingNumber(exempt, "nominalConcurrencyShares", 0);
      Defaults.missingNumber(exempt, "lendablePercent", 0);
    }
    if (spec.get("limited") instanceof ObjectNode limited) {
      Defaults.missingNumber(limited, "nominalConcurrencyShares", 30);
      Defaults.missingNumber(limited, "lendablePercent", 0);
      if (limited.path("limitResponse").get("queuing") instanceof ObjectNode queuing) {
        Defaults.number(queuing, "queues", 64);
        Defaults.number(queuing, "handSize", 8);
        Defaults.number(queuing, "queueLengthLimit", 50);
      }
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
    String type = spec.path("type").asString("");
    boolean exempt = object.at("/metadata/name").asString("").equals("exempt");
    if (exempt != type.equals("Exempt") && (exempt || !type.isEmpty())) {
      problems.invalid("spec.type", type, "must be 'Exempt' if and only if `name` is 'exempt'");
    }
    problems.requiredOneOf("spec.type", spec.path("type"), List.of("Exempt", "Limited"));
    checkShares(spec.path("exempt"), "spec.exempt", problems);
    if (type.equals("Exempt") && spec.has("limited")) {
      problems.forbidden("spec.limited", "must be nil if the type is not Limited");
    }
    if (type.equals("Limited") && spec.has("exempt")) {
      problems.forbidden("spec.exempt", "must be nil if the type is Limited");
    }
    if (type.equals("Limited") && !spec.has("limited")) {
      problems.required("spec.limited", "must not be empty when type is Limited");
    }
    JsonNode limited = spec.path("limited");
    if (limited.isObject() && type.equals("Limited")) {
      checkShares(limited, "spec.limited", problems);
      JsonNode borrowed = limited.path("borrowingLimitPercent");
      if (borrowed.isNumber() && borrowed.asLong(0) < 0) {
        problems.invalid(
            "spec.limited.borrowingLimitPercent",
            borrowed,
            "if specified, must be a non-negative integer");
      }
      checkResponse(limited.path("limitResponse"), problems);
    }
    checkFixed(object, problems);
    return problems.list();
  }

  private static void checkFixed(ObjectNode object, Problems problems) {
    String name = object.at("/metadata/name").asString("");
    JsonNode spec = object.path("spec");
    if (FlowControlDefaults.isMandatory(name)
        && !FlowControlDefaults.fixedPart(object)
            .equals(FlowControlDefaults.fixedPart(FlowControlDefaults.level(name)))) {
      String but = name.equals(FlowControlDefaults.EXEMPT) ? " except the 'spec.exempt' field" : "";
      problems.invalid(
          "spec",
          GoForm.internal(spec, "io.k8s.api.flowcontrol.v1.PriorityLevelConfigurationSpec"),
          "spec of '" + name + "'" + but + " must equal the fixed value");
    }
  }

  private static void checkShares(JsonNode level, String path, Problems problems) {
    JsonNode shares = level.path("nominalConcurrencyShares");
    if (shares.isNumber() && shares.asLong(0) < 0) {
      problems.invalid(
          path + ".nominalConcurrencyShares", shares, "must be a non-negative integer");
    }
    JsonNode lendable = level.path("lendablePercent");
    if (lendable.isNumber() && (lendable.asLong(0) < 0 || lendable.asLong(0) > 100)) {
      problems.invalid(path + ".lendablePercent", lendable, "must be between 0 and 100, inclusive");
    }
  }

  private static void checkResponse(JsonNode response, Problems problems) {
    String path = "spec.limited.limitResponse";
    String type = response.path("type").asString("");
    problems.requiredOneOf(path + ".type", response.path("type"), List.of("Queue", "Reject"));
    JsonNode queuing = response.path("queuing");
    if (type.equals("Reject") && queuing.isObject()) {
      problems.forbidden(
          path + ".queuing", "must be nil if limited.limitResponse.type is not Limited");
    }
    if (type.equals("Queue")) {
      if (!queuing.isObject()) {
        problems.required(
            path + ".queuing", "must not be empty if limited.limitResponse.type is Limited");
        return;
      }
      for (String number : List.of("queueLengthLimit", "queues", "handSize")) {
        if (queuing.path(number).asLong(0) <= 0) {
          problems.invalid(
              path + ".queuing." + number, queuing.path(number).asLong(0), "must be positive");
        }
      }
      if (queuing.path("handSize").asLong(0) > queuing.path("queues").asLong(0)) {
        problems.invalid(
            path + ".queuing.handSize",
            queuing.path("handSize").asLong(0),
            "should not be greater than queues (" + queuing.path("queues").asLong(0) + ")");
      } else {
        checkEntropy(queuing, path, problems);
      }
    }
  }

  /// A flow's queues are dealt from one hash, which must have bits enough for the hand.
  private static void checkEntropy(JsonNode queuing, String path, Problems problems) {
    long queues = queuing.path("queues").asLong(0);
    long hand = queuing.path("handSize").asLong(0);
    if (queues > 0 && hand > 0 && Math.log(queues) / Math.log(2) * hand > HASH_BITS) {
      problems.invalid(
          path + ".queuing.handSize",
          hand,
          "required entropy bits of deckSize "
              + queues
              + " and handSize "
              + hand
              + " should not be greater than "
              + HASH_BITS);
    }
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    JsonNode spec = object.path("spec");
    boolean limited = spec.path("limited").isObject();
    JsonNode shares = spec.path(limited ? "limited" : "exempt").path("nominalConcurrencyShares");
    JsonNode queuing = spec.path("limited").path("limitResponse").path("queuing");
    return List.of(
        Cells.name(object),
        Cells.text(spec.path("type").asString("")),
        Cells.text(orNone(shares)),
        Cells.text(orNone(queuing.path("queues"))),
        Cells.text(orNone(queuing.path("handSize"))),
        Cells.text(orNone(queuing.path("queueLengthLimit"))),
        Cells.age(object, now));
  }

  private static String orNone(JsonNode number) {
    return number.isNumber() ? Long.toString(number.asLong(0)) : "<none>";
  }
}
