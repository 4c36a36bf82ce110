package example;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;

/// The resource of the operator.
@Group("example.com")
@Version("v1")
public final class Greeting extends CustomResource<Greeting.Spec, Greeting.Status>
    implements Namespaced {
  private static final long serialVersionUID = 1L;

  /// Whom to greet, and how often.
  public record Spec(String name, Integer times) {}

  /// What the operator made of it.
  public record Status(String text, List<Condition> conditions) {}

  /// A condition as all controllers write them.
  public record Condition(String type, String status) {}

  @Override
  protected Spec initSpec() {
    return null;
  }

  @Override
  protected Status initStatus() {
    return null;
  }
}
