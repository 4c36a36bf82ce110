/// Gives every namespace the certificate its pods check the API server with.
@NullMarked
package io.fairlead.controller.rootca;

import org.jspecify.annotations.NullMarked;
