/// An API server in memory, for tests of everything that talks to one. It has the semantics that
/// clients and controllers rely on (versions, watches, finalizers, namespaces) and none of the
/// rest: no validation, no defaults, no access control.
@NullMarked
package io.fairlead.client.testing;

import org.jspecify.annotations.NullMarked;
