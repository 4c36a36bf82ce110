/// Parts that serve something themselves ask the API server who a client is and what it may do.
@NullMarked
package io.fairlead.app.review;

import org.jspecify.annotations.NullMarked;
