/// The Service itself.
@NullMarked
package io.fairlead.server.resources.service;

import org.jspecify.annotations.NullMarked;
