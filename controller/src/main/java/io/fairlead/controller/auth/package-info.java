/// What identities need: the default ServiceAccount and the root CA of every namespace, and cluster
/// roles aggregated from others.
@NullMarked
package io.fairlead.controller.auth;

import org.jspecify.annotations.NullMarked;
