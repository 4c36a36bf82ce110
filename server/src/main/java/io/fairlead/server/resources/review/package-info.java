/// Questions about users and permissions; nothing of them is stored.
@NullMarked
package io.fairlead.server.resources.review;

import org.jspecify.annotations.NullMarked;
