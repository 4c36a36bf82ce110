package io.fairlead.server.resources.custom;

import com.google.re2j.Pattern;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// What a value must keep to beyond its type. Everything that is null is not asked for.
///
/// @param pattern found in a text, not matched with all of it
/// @param format a name from [StringFormats]; others mean nothing
/// @param allOf schemas all of which must hold; these and the next three are schemas without
///   structure
/// @param not a schema that must not hold
record ValueConstraints(
    @Nullable BigDecimal maximum,
    boolean exclusiveMaximum,
    @Nullable BigDecimal minimum,
    boolean exclusiveMinimum,
    @Nullable BigDecimal multipleOf,
    @Nullable Long maxLength,
    @Nullable Long minLength,
    @Nullable Pattern pattern,
    String format,
    @Nullable Long maxItems,
    @Nullable Long minItems,
    boolean uniqueItems,
    @Nullable Long maxProperties,
    @Nullable Long minProperties,
    List<String> required,
    List<JsonNode> choices,
    List<StructuralSchema> allOf,
    List<StructuralSchema> anyOf,
    List<StructuralSchema> oneOf,
    @Nullable StructuralSchema not) {}
