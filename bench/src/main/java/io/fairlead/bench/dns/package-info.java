/// How fast names are answered, and how soon changes of the cluster are.
@NullMarked
package io.fairlead.bench.dns;

import org.jspecify.annotations.NullMarked;
