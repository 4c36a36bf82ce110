/// Why Services are not served: the condition of a Service, and the document of the reasons why
/// pods are no endpoints.
@NullMarked
package io.fairlead.controller.servicestatus;

import org.jspecify.annotations.NullMarked;
