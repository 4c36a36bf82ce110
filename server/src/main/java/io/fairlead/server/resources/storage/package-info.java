/// Where volumes come from, and what drivers and nodes say about them.
@NullMarked
package io.fairlead.server.resources.storage;

import org.jspecify.annotations.NullMarked;
