/// The walkthrough as a session in the terminal: its pages cut into steps, and how far a user came.
@NullMarked
package io.fairlead.app.tour;

import org.jspecify.annotations.NullMarked;
