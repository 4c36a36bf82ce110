package io.fairlead.server.cel;

import static io.fairlead.server.cel.CelType.BOOL;
import static io.fairlead.server.cel.CelType.DOUBLE;
import static io.fairlead.server.cel.CelType.INT;
import static io.fairlead.server.cel.CelType.STRING;

import io.fairlead.api.names.NameValidation;
import io.fairlead.api.schema.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// Amounts, semantic versions and named formats.
final class QuantityFunctions {
  private static final CelType AMOUNT = CelType.opaque("kubernetes.Quantity");
  private static final CelType VERSION = CelType.opaque("kubernetes.Semver");
  private static final CelType FORMAT = CelType.opaque("kubernetes.NamedFormat");
  private static final Map<String, Function<String, List<String>>> FORMATS =
      Map.of(
          "dns1123Label", NameValidation::dns1123Label,
          "dns1123Subdomain", NameValidation::dns1123Subdomain,
          "dns1035Label", NameValidation::dns1035Label,
          "qualifiedName", NameValidation::qualifiedName,
          "labelValue", NameValidation::labelValue,
          "dns1123LabelPrefix",
              text -> NameValidation.dns1123Label(NameValidation.maskTrailingDash(text)),
          "dns1123SubdomainPrefix",
              text -> NameValidation.dns1123Subdomain(NameValidation.maskTrailingDash(text)),
          "dns1035LabelPrefix",
              text -> NameValidation.dns1035Label(NameValidation.maskTrailingDash(text)));

  private QuantityFunctions() {}

  static void addTo(CelFunctions all) {
    amounts(all);
    versions(all);
    formats(all);
  }

  private static void amounts(CelFunctions all) {
    all.function(
        "quantity",
        AMOUNT,
        List.of(STRING),
        one -> new CelOpaque.Amount(amount((String) one.get(0))));
    all.function("isQuantity", BOOL, List.of(STRING), one -> parse((String) one.get(0)) != null);
    all.method("sign", INT, List.of(AMOUNT), one -> (long) value(one, 0).signum());
    all.method("isInteger", BOOL, List.of(AMOUNT), one -> isWhole(value(one, 0)));
    all.method(
        "asInteger",
        INT,
        List.of(AMOUNT),
        one -> {
          if (!isWhole(value(one, 0))) {
            throw new CelEvaluationException("cannot convert value to integer");
          }
          return value(one, 0).value();
        });
    all.method(
        "asApproximateFloat", DOUBLE, List.of(AMOUNT), one -> value(one, 0).milliValue() / 1000.0);
    arithmetic(all, "add", true);
    arithmetic(all, "sub", false);
    compared(all, "isLessThan", order -> order < 0);
    compared(all, "isGreaterThan", order -> order > 0);
    all.method(
        "compareTo",
        INT,
        List.of(AMOUNT, AMOUNT),
        both -> (long) value(both, 0).compareTo(value(both, 1)));
  }

  private static void arithmetic(CelFunctions all, String name, boolean add) {
    all.method(
        name, AMOUNT, List.of(AMOUNT, AMOUNT), both -> sum(value(both, 0), value(both, 1), add));
    all.method(
        name,
        AMOUNT,
        List.of(AMOUNT, INT),
        both -> sum(value(both, 0), Quantity.of((Long) both.get(1)), add));
  }

  private static CelOpaque.Amount sum(Quantity left, Quantity right, boolean add) {
    return new CelOpaque.Amount(add ? left.plus(right) : left.minus(right));
  }

  private static void compared(CelFunctions all, String name, IntPredicate holds) {
    all.method(
        name,
        BOOL,
        List.of(AMOUNT, AMOUNT),
        both -> holds.test(value(both, 0).compareTo(value(both, 1))));
    all.method(
        name,
        BOOL,
        List.of(VERSION, VERSION),
        both -> holds.test(version(both, 0).compareTo(version(both, 1))));
  }

  private static Quantity value(List<Object> arguments, int at) {
    return ((CelOpaque.Amount) arguments.get(at)).value();
  }

  private static boolean isWhole(Quantity value) {
    return value.milliValue() % 1000 == 0;
  }

  private static @Nullable Quantity parse(String text) {
    return Quantity.parseOrNull(text);
  }

  private static Quantity amount(String text) {
    Quantity amount = parse(text);
    if (amount == null) {
      throw new CelEvaluationException(
          "quantities must match the regular expression"
              + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    }
    return amount;
  }

  private static void versions(CelFunctions all) {
    all.function("semver", VERSION, List.of(STRING), one -> semver((String) one.get(0), false));
    all.function(
        "semver",
        VERSION,
        List.of(STRING, BOOL),
        both -> semver((String) both.get(0), (Boolean) both.get(1)));
    all.function(
        "isSemver",
        BOOL,
        List.of(STRING),
        one -> SemanticVersion.parse((String) one.get(0)) != null);
    all.function(
        "isSemver",
        BOOL,
        List.of(STRING, BOOL),
        both -> {
          String text = (String) both.get(0);
          return SemanticVersion.parse(
                  (Boolean) both.get(1) ? SemanticVersion.normalized(text) : text)
              != null;
        });
    all.method("major", INT, List.of(VERSION), one -> version(one, 0).major());
    all.method("minor", INT, List.of(VERSION), one -> version(one, 0).minor());
    all.method("patch", INT, List.of(VERSION), one -> version(one, 0).patch());
    all.method(
        "compareTo",
        INT,
        List.of(VERSION, VERSION),
        both -> (long) version(both, 0).compareTo(version(both, 1)));
  }

  private static SemanticVersion version(List<Object> arguments, int at) {
    return ((CelOpaque.Version) arguments.get(at)).version();
  }

  private static CelOpaque.Version semver(String text, boolean normalize) {
    SemanticVersion version =
        SemanticVersion.parse(normalize ? SemanticVersion.normalized(text) : text);
    if (version == null) {
      throw new CelEvaluationException("No Major.Minor.Patch elements found");
    }
    return new CelOpaque.Version(version);
  }

  private static void formats(CelFunctions all) {
    FORMATS
        .keySet()
        .forEach(
            name ->
                all.function(
                    "format." + name, FORMAT, List.of(), _ -> new CelOpaque.TextFormat(name)));
    all.function(
        "format.named",
        CelType.optional(FORMAT),
        List.of(STRING),
        one ->
            FORMATS.containsKey((String) one.get(0))
                ? Optional.of(new CelOpaque.TextFormat((String) one.get(0)))
                : Optional.empty());
    all.method(
        "validate",
        CelType.optional(CelType.list(STRING)),
        List.of(FORMAT, STRING),
        both -> {
          String name = ((CelOpaque.TextFormat) both.get(0)).name();
          List<String> wrong =
              FORMATS.getOrDefault(name, _ -> List.of()).apply((String) both.get(1));
          return wrong.isEmpty() ? Optional.empty() : Optional.of(wrong);
        });
  }
}
