/// A Kubernetes API with its controllers in a JUnit test. See README.md.
@NullMarked
package io.fairlead.junit;

import org.jspecify.annotations.NullMarked;
