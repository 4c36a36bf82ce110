/// Plugin `template`: makes answers from the question with text templates.
///
/// ```
/// template CLASS TYPE [ZONES...] {
///     match REGEX...
///     answer|additional|authority RECORD
///     rcode CODE
///     ederror CODE [REASON]
///     fallthrough [ZONES...]
/// }
/// ```
///
/// The first regular expression that fits wins; without `match` everything fits. If none fits the
/// query fails, or goes on with `fallthrough`. RECORD is a line of a master file with templates in
/// Go's notation: `{{ .Name }} 60 IN A {{ .Group.a }}.{{ index .Match 2 }}`. Known are `.Name`,
/// `.Zone`, `.Class`, `.Type`, `.Match`, `.Group`, `.Remote`, `.Question`, `.Message` and `.Meta`,
/// the functions `index`, `parseInt`, `len`, `print`, `eq`, `ne`, `not`, `and`, `or`, pipelines,
/// `if`, `else`, `range` and `end`, and variables: `$x := .Name`, `$x = .Zone`, `$.Name`, `range
/// $index, $each := .Match`.
@NullMarked
package io.fairlead.dns.template;

import org.jspecify.annotations.NullMarked;
