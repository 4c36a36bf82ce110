/// The Common Expression Language, with the functions that Kubernetes adds to it.
///
/// A [CelEnvironment] says which variables there are; it compiles a text to a [CelProgram], which
/// is checked, immutable and may run on any thread. A run works on plain Java values ([CelValues])
/// and pays for every step from a [CelBudget], so no expression runs for long, whatever it is
/// given.
@NullMarked
package io.fairlead.server.cel;

import org.jspecify.annotations.NullMarked;
