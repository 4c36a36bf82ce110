package io.fairlead.api.codec;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// A body that was read.
///
/// @param object fits the expected type; the caller's own
/// @param strictProblems unknown and repeated fields, which were dropped: `unknown field
///   "spec.selectr"`. With `fieldValidation=Strict` they are an error, with `Warn` warnings
public record DecodedBody(ObjectNode object, List<String> strictProblems) {
  public DecodedBody {
    strictProblems = List.copyOf(strictProblems);
  }
}
