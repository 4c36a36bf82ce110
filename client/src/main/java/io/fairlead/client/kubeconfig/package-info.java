/// Kubeconfig files: how a client learns which server to talk to and who it is.
@NullMarked
package io.fairlead.client.kubeconfig;

import org.jspecify.annotations.NullMarked;
