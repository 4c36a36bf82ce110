package io.fairlead.server.admission;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Lets pods stay for five minutes on a node that went away, unless they say otherwise.
final class DefaultTolerationSeconds implements AdmissionPlugin {
  private static final int TOLERATION_SECONDS = 300;
  private static final List<String> NODE_TROUBLES =
      List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

  @Override
  public String name() {
    return "DefaultTolerationSeconds";
  }

  @Override
  public boolean handles(AdmissionRequest request) {
    return request.isPod();
  }

  @Override
  public void mutate(AdmissionRequest request) {
    ObjectNode spec = request.spec();
    for (String trouble : NODE_TROUBLES) {
      if (!tolerates(spec.path("tolerations"), trouble)) {
        list(spec, "tolerations")
            .addObject()
            .put("key", trouble)
            .put("operator", "Exists")
            .put("effect", "NoExecute")
            .put("tolerationSeconds", TOLERATION_SECONDS);
      }
    }
  }

  private static boolean tolerates(JsonNode tolerations, String taint) {
    for (JsonNode toleration : tolerations) {
      String key = toleration.path("key").asString("");
      String effect = toleration.path("effect").asString("");
      if ((key.isEmpty() || key.equals(taint))
          && (effect.isEmpty() || effect.equals("NoExecute"))) {
        return true;
      }
    }
    return false;
  }

  private static ArrayNode list(ObjectNode object, String key) {
    return object.get(key) instanceof ArrayNode found ? found : object.putArray(key);
  }
}
