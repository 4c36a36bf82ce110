/// Kinds that are defined while the server runs.
///
/// A CustomResourceDefinition is an object like others ([DefinitionResource]); [CustomResources]
/// follows them and makes, for each version that is served, a [CustomResource]: the contract of a
/// kind, built from data. A schema is compiled once ([StructuralSchema]) and then does four things
/// to an object, in this order: it takes away what it does not know ([UnknownFieldPruner]), fills
/// in defaults ([SchemaDefaulter]), says what is wrong ([SchemaValidator]) and how fields are owned
/// ([FieldTypes]).
@NullMarked
package io.fairlead.server.crd;

import org.jspecify.annotations.NullMarked;
