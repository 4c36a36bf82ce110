/// Parts that serve something themselves ask the API server who somebody is and what they may do.
@NullMarked
package io.fairlead.app.review;

import org.jspecify.annotations.NullMarked;
