@NullMarked
package io.fairlead.controller;

import org.jspecify.annotations.NullMarked;
