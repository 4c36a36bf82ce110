package example;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;

/// An operator in small: a Deployment with the annotation `example.com/publish: "8080"` gets a
/// Service of its name for that port. Without the annotation the Service goes.
public final class Publisher implements AutoCloseable {
  static final String ANNOTATION = "example.com/publish";

  private final KubernetesClient client;
  private final SharedIndexInformer<Deployment> informer;

  public Publisher(KubernetesClient client) {
    this.client = client;
    this.informer =
        client
            .apps()
            .deployments()
            .inform(
                new ResourceEventHandler<>() {
                  @Override
                  public void onAdd(Deployment deployment) {
                    reconcile(deployment);
                  }

                  @Override
                  public void onUpdate(Deployment before, Deployment deployment) {
                    reconcile(deployment);
                  }

                  // The garbage collector deletes the Service with its owner.
                  @Override
                  public void onDelete(Deployment deployment, boolean unknown) {}
                });
  }

  private void reconcile(Deployment deployment) {
    String port = deployment.getMetadata().getAnnotations().get(ANNOTATION);
    String namespace = deployment.getMetadata().getNamespace();
    if (port == null) {
      client
          .services()
          .inNamespace(namespace)
          .withName(deployment.getMetadata().getName())
          .delete();
      return;
    }
    client
        .services()
        .inNamespace(namespace)
        .resource(service(deployment, Integer.parseInt(port)))
        .forceConflicts()
        .serverSideApply();
  }

  private static Service service(Deployment deployment, int port) {
    return new ServiceBuilder()
        .withNewMetadata()
        .withName(deployment.getMetadata().getName())
        .withNamespace(deployment.getMetadata().getNamespace())
        .withOwnerReferences(
            new OwnerReferenceBuilder()
                .withApiVersion("apps/v1")
                .withKind("Deployment")
                .withName(deployment.getMetadata().getName())
                .withUid(deployment.getMetadata().getUid())
                .build())
        .endMetadata()
        .withNewSpec()
        .withSelector(deployment.getSpec().getSelector().getMatchLabels())
        .addNewPort()
        .withPort(80)
        .withTargetPort(new IntOrString(port))
        .endPort()
        .endSpec()
        .build();
  }

  @Override
  public void close() {
    informer.close();
  }
}
