/// What would happen: changes applied to a copy of the cluster's objects, and what slices, shares,
/// rules, connections and findings become of it. Pure; nothing is written anywhere.
@org.jspecify.annotations.NullMarked
package io.fairlead.insight.simulate;
