/// What this program changes on the machine outside its data directory: who may, what it was
/// before, and how it is put back.
@NullMarked
package io.fairlead.app.hoststate;

import org.jspecify.annotations.NullMarked;
