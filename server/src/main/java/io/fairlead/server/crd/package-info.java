/// Serves the kinds that are defined while the server runs: [CustomResources] follows the
/// definitions, [DefinitionCleanup] empties those that are deleted, [WebhookConversion] asks other
/// programs for versions.
@NullMarked
package io.fairlead.server.crd;

import org.jspecify.annotations.NullMarked;
