/// What objects use of a namespace's quota: the same arithmetic for the server, which refuses, and
/// the controller, which counts.
@NullMarked
package io.fairlead.api.quota;

import org.jspecify.annotations.NullMarked;
