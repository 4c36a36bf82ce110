package io.fairlead.server.resources.custom;

import io.fairlead.api.status.FieldError;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Holds a value against a schema, in the words of the original.
///
/// How it works: type, then alternatives, then what a text, number, list or object must keep to;
/// each adds what it finds. A value that a write does not change is not looked at again: an object
/// that was fine by an older schema can still be changed elsewhere (the original calls this
/// ratcheting).
final class SchemaValidator {
  private SchemaValidator() {}

  /// What is wrong with an object.
  ///
  /// @param old the object before; null when it is new
  static List<FieldError> validate(
      JsonNode value, @Nullable JsonNode old, StructuralSchema schema, String path) {
    return check(value, old, schema, path).errors();
  }

  private static SchemaFindings check(
      JsonNode value, @Nullable JsonNode old, StructuralSchema schema, String path) {
    SchemaFindings findings = new SchemaFindings();
    if (old != null && JsonValues.same(value, old)) {
      findings.matched();
      return findings;
    }
    checkType(value, schema, path, findings);
    if (!value.isNull()) {
      checkAlternatives(value, old, schema.constraints(), path, findings);
      switch (value.getNodeType()) {
        case STRING -> checkText(value.stringValue(), schema.constraints(), path, findings);
        case NUMBER -> checkNumber(value, schema.constraints(), path, findings);
        case ARRAY -> checkItems((ArrayNode) value, old, schema, path, findings);
        default -> {}
      }
    }
    checkChoices(value, schema.constraints(), path, findings);
    if (value instanceof ObjectNode object) {
      checkMembers(object, old, schema, path, findings);
    }
    findings.matched();
    return findings;
  }

  private static void checkType(
      JsonNode value, StructuralSchema schema, String path, SchemaFindings findings) {
    String wanted = schema.intOrString() ? "integer,string" : schema.type();
    if (wanted.isEmpty()) {
      return;
    }
    if (value.isNull()) {
      if (!schema.nullable()) {
        findings.wrongType(path, wanted, "null");
      }
      return;
    }
    String found = JsonValues.type(value);
    boolean fits =
        switch (wanted) {
          case "integer,string" -> found.equals("string") || JsonValues.isWhole(value);
          case "integer" -> JsonValues.isWhole(value);
          case "number" -> value.isNumber();
          default -> wanted.equals(found);
        };
    if (fits) {
      findings.matched();
    } else {
      findings.wrongType(path, wanted, found);
    }
  }

  private static void checkAlternatives(
      JsonNode value,
      @Nullable JsonNode old,
      ValueConstraints constraints,
      String path,
      SchemaFindings findings) {
    Function<StructuralSchema, SchemaFindings> tried = each -> check(value, old, each, path);
    if (!constraints.anyOf().isEmpty()) {
      Attempts attempts = Attempts.of(constraints.anyOf(), tried);
      if (attempts.valid() == 0) {
        findings.wrongChoice(path, "must validate at least one schema (anyOf)");
        findings.merge(attempts.best());
      }
    }
    if (!constraints.oneOf().isEmpty()) {
      Attempts attempts = Attempts.of(constraints.oneOf(), tried);
      if (attempts.valid() != 1) {
        findings.wrongChoice(
            path,
            "must validate one and only one schema (oneOf). "
                + (attempts.valid() == 0
                    ? "Found none valid"
                    : "Found " + attempts.valid() + " valid alternatives"));
        if (attempts.valid() == 0) {
          findings.merge(attempts.best());
        }
      }
    }
    if (!constraints.allOf().isEmpty()) {
      int valid = 0;
      for (StructuralSchema each : constraints.allOf()) {
        SchemaFindings found = tried.apply(each);
        valid += found.isValid() ? 1 : 0;
        findings.merge(found);
      }
      if (valid != constraints.allOf().size()) {
        findings.wrongChoice(
            path, "must validate all the schemas (allOf)" + (valid == 0 ? ". None validated" : ""));
      }
    }
    if (constraints.not() != null && tried.apply(constraints.not()).isValid()) {
      findings.wrongChoice(path, "must not validate the schema (not)");
    }
  }

  /// How a value fared with several schemas.
  private record Attempts(int valid, SchemaFindings best) {
    static Attempts of(
        List<StructuralSchema> schemas, Function<StructuralSchema, SchemaFindings> tried) {
      int valid = 0;
      SchemaFindings best = null;
      for (StructuralSchema schema : schemas) {
        SchemaFindings found = tried.apply(schema);
        if (found.isValid()) {
          valid++;
        } else if (best == null || found.matches() > best.matches()) {
          best = found;
        }
      }
      return new Attempts(valid, best == null ? new SchemaFindings() : best);
    }
  }

  private static void checkText(
      String text, ValueConstraints constraints, String path, SchemaFindings findings) {
    int length = text.codePointCount(0, text.length());
    if (constraints.maxLength() != null && length > constraints.maxLength()) {
      findings.add(FieldError.tooLong(path, Math.toIntExact(constraints.maxLength())));
    } else if (constraints.minLength() != null && length < constraints.minLength()) {
      invalid(
          findings,
          path,
          JsonValues.text(text),
          "should be at least " + constraints.minLength() + " chars long");
    } else if (constraints.pattern() != null && !constraints.pattern().matcher(text).find()) {
      invalid(
          findings,
          path,
          JsonValues.text(text),
          "should match '" + constraints.pattern().pattern() + "'");
    }
    if (!constraints.format().isEmpty() && !StringFormats.fits(constraints.format(), text)) {
      findings.wrongType(path, constraints.format(), text);
    }
  }

  private static void checkNumber(
      JsonNode value, ValueConstraints constraints, String path, SchemaFindings findings) {
    BigDecimal number = value.decimalValue();
    BigDecimal multiple = constraints.multipleOf();
    if (multiple != null
        && multiple.signum() > 0
        && number.divide(multiple, 12, RoundingMode.HALF_UP).stripTrailingZeros().scale() > 0) {
      invalid(findings, path, value, "should be a multiple of " + shown(multiple));
    }
    BigDecimal most = constraints.maximum();
    if (most != null) {
      int compared = number.compareTo(most);
      if (constraints.exclusiveMaximum() ? compared >= 0 : compared > 0) {
        String than = constraints.exclusiveMaximum() ? "less than " : "less than or equal to ";
        invalid(findings, path, value, "should be " + than + shown(most));
      }
    }
    BigDecimal least = constraints.minimum();
    if (least != null) {
      int compared = number.compareTo(least);
      if (constraints.exclusiveMinimum() ? compared <= 0 : compared < 0) {
        String than =
            constraints.exclusiveMinimum() ? "greater than " : "greater than or equal to ";
        invalid(findings, path, value, "should be " + than + shown(least));
      }
    }
  }

  private static void checkItems(
      ArrayNode list,
      @Nullable JsonNode old,
      StructuralSchema schema,
      String path,
      SchemaFindings findings) {
    ValueConstraints constraints = schema.constraints();
    if (schema.items() != null) {
      int index = 0;
      for (JsonNode item : list) {
        findings.merge(
            check(
                item, OldItems.find(item, old, schema), schema.items(), path + "[" + index + "]"));
        index++;
      }
    }
    if (constraints.minItems() != null && list.size() < constraints.minItems()) {
      invalid(
          findings,
          path,
          JsonValues.number(list.size()),
          "should have at least " + constraints.minItems() + " items");
    }
    if (constraints.maxItems() != null && list.size() > constraints.maxItems()) {
      findings.add(FieldError.tooMany(path, list.size(), Math.toIntExact(constraints.maxItems())));
    }
    if (constraints.uniqueItems() && hasRepeated(list)) {
      invalid(findings, path, list, "shouldn't contain duplicates");
    }
  }

  private static boolean hasRepeated(ArrayNode list) {
    List<JsonNode> seen = new ArrayList<>();
    for (JsonNode item : list) {
      if (seen.stream().anyMatch(other -> JsonValues.same(item, other))) {
        return true;
      }
      seen.add(item);
    }
    return false;
  }

  private static void checkChoices(
      JsonNode value, ValueConstraints constraints, String path, SchemaFindings findings) {
    List<JsonNode> choices = constraints.choices();
    if (!choices.isEmpty()
        && choices.stream().noneMatch(choice -> JsonValues.same(choice, value))) {
      findings.add(
          FieldError.notSupported(
              SchemaFindings.shown(path),
              value,
              choices.stream()
                  .map(choice -> choice.isString() ? choice.stringValue() : choice.toString())
                  .toList()));
    }
  }

  private static void checkMembers(
      ObjectNode object,
      @Nullable JsonNode old,
      StructuralSchema schema,
      String path,
      SchemaFindings findings) {
    ValueConstraints constraints = schema.constraints();
    if (constraints.minProperties() != null && object.size() < constraints.minProperties()) {
      invalid(
          findings,
          path,
          JsonValues.number(object.size()),
          "should have at least " + constraints.minProperties() + " properties");
      return;
    }
    if (constraints.maxProperties() != null && object.size() > constraints.maxProperties()) {
      findings.add(
          FieldError.tooMany(path, object.size(), Math.toIntExact(constraints.maxProperties())));
      return;
    }
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      StructuralSchema inner = schema.member(member.getKey());
      if (inner != null) {
        JsonNode before = old == null ? null : old.get(member.getKey());
        findings.merge(check(member.getValue(), before, inner, child(path, member.getKey())));
      }
    }
    for (String name : constraints.required()) {
      if (!object.has(name)) {
        findings.add(FieldError.required(child(path, name), ""));
      }
    }
  }

  static String child(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  private static void invalid(SchemaFindings findings, String path, JsonNode value, String why) {
    findings.add(FieldError.invalid(SchemaFindings.shown(path), value, path + " in body " + why));
  }

  private static String shown(BigDecimal number) {
    return number.stripTrailingZeros().toPlainString();
  }
}
