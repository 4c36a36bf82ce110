/// From a question to a reply: finds what a name means and copies the records.
@NullMarked
package io.fairlead.dns.kubernetes.answer;

import org.jspecify.annotations.NullMarked;
