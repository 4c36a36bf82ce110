package io.fairlead.api.apply;

import java.time.Instant;

/// Who writes, how it is entered into `metadata.managedFields`.
///
/// @param name the `fieldManager` of the request, or the first word of its User-Agent
/// @param apiVersion of the object as it was written, `apps/v1`
/// @param subresource `status`, `scale`; empty for the object itself
/// @param now the time of the entry; seconds are kept
public record FieldManager(String name, String apiVersion, String subresource, Instant now) {}
