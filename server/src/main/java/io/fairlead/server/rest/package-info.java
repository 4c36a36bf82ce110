@NullMarked
package io.fairlead.server.rest;

import org.jspecify.annotations.NullMarked;
