package example;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.util.List;
import java.util.Map;

/// Writes each greeting into a ConfigMap of its name, which goes with it, and counts in the
/// ConfigMap `farewells` who left.
@ControllerConfiguration
public final class GreetingReconciler implements Reconciler<Greeting>, Cleaner<Greeting> {
  @Override
  public UpdateControl<Greeting> reconcile(Greeting greeting, Context<Greeting> context) {
    String text = ("Hello " + greeting.getSpec().name() + "! ").repeat(times(greeting)).strip();
    ConfigMap map =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName(greeting.getMetadata().getName())
            .withNamespace(greeting.getMetadata().getNamespace())
            .endMetadata()
            .withData(Map.of("text", text))
            .build();
    map.addOwnerReference(greeting);
    context.getClient().resource(map).forceConflicts().serverSideApply();

    Greeting answer = new Greeting();
    answer.getMetadata().setName(greeting.getMetadata().getName());
    answer.getMetadata().setNamespace(greeting.getMetadata().getNamespace());
    answer.setStatus(
        new Greeting.Status(text, List.of(new Greeting.Condition("Answered", "True"))));
    return UpdateControl.patchStatus(answer);
  }

  private static int times(Greeting greeting) {
    return greeting.getSpec().times();
  }

  @Override
  public DeleteControl cleanup(Greeting greeting, Context<Greeting> context) {
    KubernetesClient client = context.getClient();
    client
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName("farewells")
                .withNamespace(greeting.getMetadata().getNamespace())
                .endMetadata()
                .withData(Map.of(greeting.getMetadata().getName(), greeting.getSpec().name()))
                .build())
        .fieldManager(greeting.getMetadata().getName())
        .forceConflicts()
        .serverSideApply();
    return DeleteControl.defaultDelete();
  }
}
