package io.fairlead.server.resources.custom;

import io.fairlead.api.status.FieldError;
import io.fairlead.server.cel.CelBudget;
import io.fairlead.server.cel.CelBudgetException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The rules in CEL of a schema and of those below it. Compiled once; a schema without rules costs
/// an object nothing.
final class RuleSet {
  /// Faults after which rules could not rely on the types of what they see.
  private static final Set<FieldError.Kind> BLOCKING =
      EnumSet.of(
          FieldError.Kind.NOT_SUPPORTED,
          FieldError.Kind.REQUIRED,
          FieldError.Kind.TOO_LONG,
          FieldError.Kind.TOO_MANY,
          FieldError.Kind.TYPE_INVALID);

  private final StructuralSchema schema;
  private final List<SchemaRule> rules = new ArrayList<>();
  private final Map<String, RuleSet> properties = new HashMap<>();
  private final @Nullable RuleSet additional;
  private final @Nullable RuleSet items;

  private RuleSet(StructuralSchema schema, boolean root) {
    this.schema = schema;
    if (!schema.rules().isEmpty()) {
      var self = RuleTypes.of(schema, root);
      for (ObjectNode source : schema.rules()) {
        SchemaRule rule = SchemaRule.of(source, self);
        if (rule != null) {
          rules.add(rule);
        }
      }
    }
    schema
        .properties()
        .forEach(
            (name, property) -> {
              if (property.hasRules()) {
                properties.put(name, new RuleSet(property, false));
              }
            });
    additional = below(schema.additional());
    items = below(schema.items());
  }

  private static @Nullable RuleSet below(@Nullable StructuralSchema schema) {
    return schema != null && schema.hasRules() ? new RuleSet(schema, false) : null;
  }

  static RuleSet of(StructuralSchema schema) {
    return new RuleSet(schema, true);
  }

  private boolean isEmpty() {
    return rules.isEmpty() && properties.isEmpty() && additional == null && items == null;
  }

  /// What the rules find wrong with an object.
  ///
  /// @param others what was found before
  List<FieldError> validate(ObjectNode object, @Nullable ObjectNode old, List<FieldError> others) {
    if (isEmpty()) {
      return List.of();
    }
    if (others.stream().anyMatch(error -> BLOCKING.contains(error.kind()))) {
      return List.of(SchemaRule.notAsked());
    }
    List<FieldError> errors = new ArrayList<>();
    try {
      walk(object, old, "", new CelBudget(CelBudget.PER_OBJECT), errors);
    } catch (CelBudgetException e) {
      errors.add(
          FieldError.invalid(
              SchemaFindings.NOWHERE,
              "",
              "validation failed due to running out of cost budget, no further validation rules"
                  + " will be run"));
    }
    return errors;
  }

  private void walk(
      JsonNode value,
      @Nullable JsonNode old,
      String path,
      CelBudget budget,
      List<FieldError> errors) {
    if (value.isNull()) {
      return;
    }
    ask(value, old, path, budget, errors);
    if (value instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> member : object.properties()) {
        RuleSet inner = properties.get(member.getKey());
        inner =
            inner == null && !schema.properties().containsKey(member.getKey()) ? additional : inner;
        if (inner != null) {
          JsonNode before = old == null ? null : old.get(member.getKey());
          inner.walk(
              member.getValue(),
              before,
              SchemaValidator.child(path, member.getKey()),
              budget,
              errors);
        }
      }
    } else if (value instanceof ArrayNode list && items != null) {
      int index = 0;
      for (JsonNode item : list) {
        items.walk(
            item, OldItems.find(item, old, schema), path + "[" + index + "]", budget, errors);
        index++;
      }
    }
  }

  private void ask(
      JsonNode value,
      @Nullable JsonNode old,
      String path,
      CelBudget budget,
      List<FieldError> errors) {
    if (rules.isEmpty()) {
      return;
    }
    boolean same = old != null && JsonValues.same(value, old);
    Object self = RuleTypes.value(value, schema);
    Object before = old == null || old.isNull() ? null : RuleTypes.value(old, schema);
    for (SchemaRule rule : rules) {
      if (same && !rule.asksOld()) {
        continue;
      }
      FieldError error = rule.judge(self, before, path, JsonValues.type(value), budget);
      if (error != null) {
        errors.add(error);
      }
    }
  }
}
