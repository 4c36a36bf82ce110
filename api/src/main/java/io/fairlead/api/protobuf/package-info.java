@NullMarked
package io.fairlead.api.protobuf;

import org.jspecify.annotations.NullMarked;
