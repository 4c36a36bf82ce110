package io.fairlead.server.resources.custom;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// Makes an object of one version one of another.
public interface Conversion {
  /// The strategy `None`: the versions differ in nothing but their names.
  Conversion NONE =
      (object, apiVersion) -> {
        ObjectNode converted = object.deepCopy();
        converted.put("apiVersion", apiVersion);
        return converted;
      };

  /// The object as that version has it. A tree of the caller's own; the argument is not changed.
  ///
  /// @throws io.fairlead.api.status.ApiException when it cannot be made
  ObjectNode convert(ObjectNode object, String apiVersion);

  /// The same for many, in their order.
  default List<ObjectNode> convertAll(List<ObjectNode> objects, String apiVersion) {
    return objects.stream().map(each -> convert(each, apiVersion)).toList();
  }
}
