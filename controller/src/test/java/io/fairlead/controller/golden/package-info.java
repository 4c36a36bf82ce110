/// The clusters that recordings of the endpoint controllers run on: an API in memory here, a real
/// server in the module `e2e`, which runs the same vectors.
@org.jspecify.annotations.NullMarked
package io.fairlead.controller.golden;
