/// Kinds that are data: what a CustomResourceDefinition is, and the kind that it defines.
///
/// A definition is an object like others ([DefinitionResource]). For each version that is served
/// there is a [CustomResource]: the contract of a kind, built from the definition. A schema is
/// compiled once ([StructuralSchema]) and then does four things to an object, in this order: it
/// takes away what it does not know ([UnknownFieldPruner]), fills in defaults ([SchemaDefaulter]),
/// says what is wrong ([SchemaValidator], [RuleSet]) and how fields are owned ([FieldTypes]).
@NullMarked
package io.fairlead.server.resources.custom;

import org.jspecify.annotations.NullMarked;
