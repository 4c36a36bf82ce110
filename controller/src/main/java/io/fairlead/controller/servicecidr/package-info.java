/// Guards the ranges that Services get their addresses from: none goes while its addresses are in
/// use.
@NullMarked
package io.fairlead.controller.servicecidr;

import org.jspecify.annotations.NullMarked;
