package io.fairlead.server.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.json.Json;
import io.fairlead.server.resource.ClusterReader;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.pod.PodResource;
import java.lang.reflect.Proxy;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// The account of a new namespace is made by a controller, a moment after the namespace.
class ServiceAccountAdmissionTest {
  private final AtomicReference<@Nullable ObjectNode> account = new AtomicReference<>();
  private final AtomicInteger pauses = new AtomicInteger();

  private AdmissionRequest pod(String name) {
    ObjectNode pod = Json.object();
    pod.putObject("metadata").put("name", "p").put("namespace", "new");
    pod.putObject("spec").put("serviceAccountName", name).putArray("containers");
    ClusterReader reader =
        proxy(ClusterReader.class, method -> method.equals("get") ? account.get() : null);
    RequestContext context =
        proxy(
            RequestContext.class,
            method ->
                switch (method) {
                  case "reader" -> reader;
                  case "namespace" -> "new";
                  case "random" -> new Random(1);
                  default -> null;
                });
    return new AdmissionRequest(new PodResource().descriptor(), pod, null, context);
  }

  /// Answers by the name of the method.
  private static <T> T proxy(Class<T> type, Function<String, @Nullable Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, _) -> answers.apply(method.getName())));
  }

  @Test
  void theFirstPodOfANamespaceWaitsForItsAccount() {
    AdmissionRequest request = pod("default");
    new ServiceAccountAdmission(
            _ -> {
              if (pauses.incrementAndGet() == 3) {
                account.set(Json.object());
              }
            })
        .mutate(request);
    assertThat(pauses).hasValue(3);
    assertThat(request.spec().path("serviceAccount").asString("")).isEqualTo("default");
  }

  @Test
  void theWaitHasAnEnd() {
    AdmissionRequest request = pod("default");
    ServiceAccountAdmission plugin = new ServiceAccountAdmission(_ -> pauses.incrementAndGet());
    assertThatThrownBy(() -> plugin.mutate(request))
        .hasMessageContaining("error looking up service account new/default");
    assertThat(pauses).hasValueBetween(10, 100);
  }

  @Test
  void anAccountThatNoControllerMakesIsMissedAtOnce() {
    AdmissionRequest request = pod("robot");
    ServiceAccountAdmission plugin = new ServiceAccountAdmission(_ -> pauses.incrementAndGet());
    assertThatThrownBy(() -> plugin.mutate(request)).hasMessageContaining("new/robot");
    assertThat(pauses).hasValue(0);
  }
}
