/// The types of the API as data: structs and their fields, read from the resource that module
/// `schema` makes; how trees are checked against them; and the scalars with a notation of their own
/// (quantities, times, durations).
@NullMarked
package io.fairlead.api.schema;

import org.jspecify.annotations.NullMarked;
