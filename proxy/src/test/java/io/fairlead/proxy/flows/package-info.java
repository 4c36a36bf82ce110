/// The packet flows every mode must get right, as one table, and the ways to try them.
@org.jspecify.annotations.NullMarked
package io.fairlead.proxy.flows;
